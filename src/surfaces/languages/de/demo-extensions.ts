import type { words } from "../../cli/commands/demo/extensions.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const demoExtensions: Translation<typeof words> = {
  title: "fettle demo extensions  was andere mitbringen",
  scripted:
    "Die Antworten des Modells stehen fest. Alles andere ist echt: das Plugin, der Hook, der MCP-Server und ihre Sandbox, das Gate, das Protokoll.",
  plugin: "1  Ein Plugin wird Teil für Teil gezeigt, bevor etwas davon benutzt wird",
  granted: (parts) =>
    `Die Demo erlaubt hier selbst: ${parts}. Was nicht benutzt werden kann, wird mit dem Grund genannt.`,
  trust: "2  Ebenso, was das Repository mitbringt",
  trusted: "Die Demo vertraut hier selbst genau diesem Stand.",
  session: "3  Eine Sitzung benutzt alle, hinter dem Gate",
  changed: "4  Einen Tag später beschreibt der MCP-Server sein Werkzeug anders",
  asked: "Die Demo lehnt hier selbst ab; in der eigenen Sitzung würde gefragt:",
  refusal: "die Demo will das geänderte Werkzeug nicht",
  outcome: {
    plugin: "Plugin",
    hook: "Hook",
    server: "MCP-Server",
    changed: "geändertes Werkzeug",
    ledger: "Protokoll",
  },
  pinned: (granted, all) => `${granted} von ${all} Teilen erlaubt und festgehalten, der andere mit dem Grund genannt`,
  refused: "hat verhindert, dass stock.csv gelöscht wird",
  answered: "gestartet, als er gebraucht wurde; beide Aufrufe beantwortet",
  notCalled: "mit dem Unterschied nachgefragt und nicht aufgerufen",
  verified: "geprüft",
  failed: "Die Demo ist gescheitert.",
  problems: {
    plugin: "Der kaputte Skill des Plugins wurde nicht genannt.",
    turn: "Ein geschriebener Ablauf endete nicht wie vorgesehen.",
    hook: "Der Hook hat stock.csv nicht geschützt.",
    server: "Der Server hat nicht geantwortet.",
    changed: "Nach dem geänderten Werkzeug wurde nicht gefragt.",
    ledger: (problem) => `Das Protokoll ist nicht heil: ${problem}`,
  },
  noSandbox: (why) =>
    `Diese Maschine hat keine Kernel-Sandbox (${why}): Hooks und Server eines Repositorys laufen hier nicht, es gibt also nichts zu zeigen.`,
  next: (folder) =>
    `Alles liegt in ${folder}, mit einem eigenen Home: In der eigenen Konfiguration steht nichts davon.`,
};
