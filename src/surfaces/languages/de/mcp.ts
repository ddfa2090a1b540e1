import type { words } from "../../cli/commands/mcp/words.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const mcp: Translation<typeof words> = {
  help: {
    list: "alle Server: was sie sind, was sie erreichen dürfen, wie viele Werkzeuge sie haben",
    add: "einen Server einrichten und einmal starten, um seine Werkzeuge zu sehen: ein Programm hinter -- oder eine Adresse",
    remove: "einen Server entfernen und alles, was über ihn festgehalten ist",
    test: "einen Server starten, seine Werkzeuge und deren Änderungen zeigen und ihn wieder beenden",
    class:
      "sagen, was ein Werkzeug tut (SERVER__WERKZEUG, oder SERVER für alle übrigen): read, reversible, compensable, irreversible",
    login: "sich bei einem Server an einer Adresse mit OAuth anmelden; die Tokens kommen in den Schlüsselbund",
    logout: "vergessen, wer bei einem Server angemeldet ist",
    plainFile: "ohne Schlüsselbund: eine Datei, die nur man selbst lesen kann",
    clientId: "ein beim Server registrierter Client, falls er selbst keinen registriert",
    show: "was über einen Server bekannt ist: Werkzeuge, Ressourcen, Prompts und das Ende seines Protokolls; es wird nichts gestartet",
    logs: "das Ende dessen, was ein Server auf stderr gesagt hat",
    import: "Server aus den Listen von Claude Code, Codex, Gemini CLI und opencode übernehmen; ohne Namen: zeigen",
    all: "alle, die noch nicht eingerichtet sind",
    env: "Name einer Umgebungsvariablen, die er bekommt (mehrfach möglich)",
    set: "NAME=WERT: eine weitere Variable, keine geheime (mehrfach möglich)",
    header:
      "NAME=WERT: ein Header für einen Server an einer Adresse; '${NAME}' darin ist eine Variable (mehrfach möglich)",
    read: "Ordner, den er sieht; . ist der Arbeitsbereich (mehrfach möglich)",
    write: "Ordner, den er ändern darf (mehrfach möglich)",
    host: "Rechner, den er erreicht, host[:port] (mehrfach möglich)",
    tools: "was jedes Werkzeug tut, über das nichts anderes gesagt ist: read, reversible, compensable, irreversible",
    untested: "nur aufschreiben: nichts wird gestartet",
    accept: "neue und geänderte Definitionen so festhalten, wie sie jetzt sind",
    lines: "wie viele Zeilen (50)",
  },
  lesson: {
    examples: [
      [
        "fettle mcp add notes --write ~/notes -- node ~/servers/notes.js",
        "in der Sandbox gestartet, mit diesem Ordner und ohne Netz",
      ],
      [
        "fettle mcp add fs --read . -- npx -y @modelcontextprotocol/server-filesystem .",
        "einmal geholt wie eine Installation, von da an ohne Netz",
      ],
      ["fettle mcp import --all", "die Server, die Claude Code, Codex, Gemini CLI und opencode haben"],
      ["fettle mcp list", "was jeder ist und was er erreichen darf"],
      ["fettle mcp class fs__read_file read", "Aufrufe laufen ungefragt; jedes andere Werkzeug fragt jedes Mal"],
      ["fettle mcp test notes", "was er anbietet und was sich seit dem Festhalten geändert hat"],
      ["fettle mcp logs notes", "was er gesagt hat, als er scheiterte"],
      ["fettle mcp login tracker", "zeigt eine Adresse für den Browser und wartet"],
      ["fettle mcp remove notes", "samt allem, was über ihn festgehalten ist"],
    ],
    exits: [
      ["0", "gezeigt; getan; er ist gestartet"],
      ["1", "add, test: der Server ließ sich nicht benutzen"],
      ["2", "kein solcher Server, oder ein unmöglicher Name, Ordner oder eine unmögliche Klasse"],
    ],
  },
  none: "Es gibt keine MCP-Server. fettle mcp add --help zeigt, wie einer eingerichtet wird.",
  name: "Server",
  start: "Start",
  reach: "darf erreichen",
  tools: "Werkzeuge",
  unseen: "noch nicht angesehen",
  nothing: "nichts Eigenes",
  sees: (folders: string) => `sieht ${folders}`,
  writes: (folders: string) => `schreibt ${folders}`,
  reaches: (hosts: string) => `erreicht ${hosts}`,
  gets: (names: string) => `bekommt ${names}`,
  added: (name: string) => `${name} ist eingerichtet.`,
  removed: (name: string) => `${name} ist entfernt.`,
  classified: (tool: string, of: string) => `${tool}: ${of}.`,
  started: (name: string, ms: number) => `${name} ist in ${ms} ms gestartet.`,
  failed: (name: string) => `${name} ließ sich nicht benutzen:`,
  log: "Das Ende seines Protokolls:",
  signIn: (server: string, host: string) =>
    `Zur Anmeldung bei ${server} auf ${host} diese Adresse in einem Browser öffnen:`,
  signedIn: (server: string, host: string) => `Die Anmeldung bei ${server} auf ${host} ist erfolgt.`,
  signedOut: (server: string) => `Bei ${server} ist niemand mehr angemeldet.`,
  plainFile:
    "Auf dieser Maschine gibt es keinen Schlüsselbund. Die Tokens in einer Datei ablegen, die nur man selbst lesen kann?",
  resources: "Ressourcen (in einem Prompt zu nennen):",
  prompts: "Prompts (als Befehl einzugeben):",
  running: { runs: "läuft", starts: "startet gerade", failed: "ist gescheitert", idle: "startet bei Bedarf" },
  state: "Zustand",
  noTools: "Er bietet keine Werkzeuge an.",
  noLog: "Es ist nichts protokolliert.",
  asks: "fragt jedes Mal",
  taken: "übernommen",
  known: "schon eingerichtet",
  headersLeft: (names: string) => `Header, die nicht übernommen werden: ${names}`,
  takenHint:
    "Noch hat keiner einen Ordner oder Rechner: fettle config set mcp.servers.NAME.read . ; danach fettle mcp test NAME.",
  importHint: "Übernehmen: fettle mcp import NAME, oder --all. Was nach Geheimnis aussieht, bleibt in der Umgebung.",
  noLists: "Es wurde keine MCP-Liste eines anderen Agenten gefunden.",
  noImport: (name: string) => `Keine Liste nennt einen Server „${name}“.`,
  states: { pinned: "", new: "neu", changed: "geändert", gone: "weg" },
  changedHint: (name: string) =>
    `Aufrufe von Neuem und Geändertem fragen zuerst. So festhalten, wie sie jetzt sind: fettle mcp test ${name} --accept`,
  classHint: (name: string) =>
    `Sagen, was ein Werkzeug tut, damit Aufrufe nicht fragen müssen: fettle mcp class ${name}__WERKZEUG read`,
  badSet: (given: string) => `--set braucht NAME=WERT, nicht „${given}“.`,
  badStart:
    "Ein Server braucht ein Programm hinter -- oder eine Adresse: fettle mcp add NAME -- PROGRAMM ARGUMENTE, oder fettle mcp add NAME https://…",
  badClass: (given: string, classes: readonly string[]) =>
    `„${given}“ sagt nichts über ein Werkzeug; möglich sind ${classes.join(", ")}.`,
  badTool: (given: string) =>
    `„${given}“ ist kein Werkzeug; zu schreiben ist SERVER__WERKZEUG, oder SERVER für alle Werkzeuge.`,
};
