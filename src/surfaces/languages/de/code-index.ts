import type { words } from "../../cli/commands/code-index.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const codeIndex: Translation<typeof words> = {
  help: {
    build: "lesen, was sich seit dem letzten Mal geändert hat; eine Suche tut das von selbst",
    status: "was darin steht, wie groß er ist und was ausgelassen wurde",
    clear: "ihn löschen; die nächste Suche baut ihn neu auf",
    search: "Dateien und Definitionen, um die es in einer Frage geht, die wahrscheinlichsten zuerst",
    explain: "dasselbe, mit dem Gewicht jeder Art von Hinweis",
    most: "wie viele Dateien",
    batch: 'JSON-Zeilen {"id","root","query"} lesen, {"id","files","symbols"} antworten',
  },
  lesson: {
    examples: [
      [
        'fettle index search "where is the session token refreshed"',
        "die wahrscheinlichsten Dateien, mit Definitionen und Zeilen",
      ],
      ['fettle index search "TypeError at src/pay.ts:42"', "ein Stacktrace führt zu seinen Dateien"],
      ['fettle index explain "retry after a timeout"', "warum jede Datei gewählt wurde"],
      ["fettle index build", "baut ihn jetzt, damit die erste Suche es nicht muss"],
      ["fettle index clear", "löscht ihn von der Platte"],
      ["fettle index status", "was im Index steht und was ausgelassen wurde"],
      ["fettle index search --batch < questions.jsonl", "viele Fragen, zu beliebigen Ordnern"],
    ],
    exits: [
      ["0", "gefunden; erledigt"],
      ["1", "nichts passt"],
      ["2", "falscher Aufruf"],
      ["7", "die Platte verweigert das Schreiben"],
    ],
  },
  nothingAsked: "Es fehlt die Frage.",
  nothingAskedRemedy: 'Angeben, was gesucht wird: fettle index search "where are retries counted"',
  nothingFound: "Keine Datei passt.",
  definitions: "Definitionen",
  cleared: "Der Index ist gelöscht. Die nächste Suche baut ihn neu auf.",
  renewed: {
    damaged: "Der Index war beschädigt und wurde neu aufgebaut.",
    older: "Der Index stammte von einer anderen Version von fettle und wurde neu aufgebaut.",
  },
  root: "Ordner",
  files: "Dateien",
  filesOf: (files, parsed) => `${files}, davon ${parsed} mit einer Grammatik gelesen`,
  symbols: "Definitionen",
  words: "Wörter",
  size: "Größe",
  sizeOf: (own, sources) => `${own} MB für ${sources} MB Text`,
  built: "Stand",
  never: "noch nicht aufgebaut: fettle index build",
  leftOut: "ausgelassen",
  notes: {
    binary: "binär",
    large: "größer als 1 MB",
    minified: "minimiert oder eine Lockdatei",
    unreadable: "nicht lesbar",
  },
  done: (read, removed, seconds) =>
    `${read} ${read === 1 ? "Datei" : "Dateien"} gelesen, ${removed} entfallen, in ${seconds} s.`,
  failed: (path, why) => `${path}: als reiner Text gelesen, ${why}`,
  evidence: {
    words: "Wörter",
    defines: "definiert einen Namen aus der Frage",
    mentioned: "in der Frage genannt",
    history: "Commits",
    imported: "von anderen importiert",
    bridge: "seine Tests oder Dokumente",
    name: "sein eigener Name",
    scope: "im Anfang des Titels genannt",
    defined: "eine Definition dieser Wörter",
    neighbours: "importiert Wahrscheinliches oder wird davon importiert",
  },
};
