import type { words } from "../../cli/commands/scan/index.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const scan: Translation<typeof words> = {
  help: {
    batchSecrets: "JSON-Zeilen {id, text} von der Standardeingabe, der Reihe nach beantwortet",
    batchInjection: 'JSON-Zeilen {"id","text"} lesen, {"id","verdict","findings"} antworten',
    batchPackages: "JSON-Zeilen {id, ecosystem, name} von der Standardeingabe, der Reihe nach beantwortet",
    secrets: "Geheimnisse in Dateien, Ordnern oder (-) der Standardeingabe; Exit-Code 1, wenn es welche gibt",
    injection:
      "Anweisungen an einen Assistenten in Dateien, Ordnern oder (-) der Standardeingabe; Exit-Code 1, wenn es welche gibt",
    packages: "Namen in Manifesten, die bekannten ähneln; Exit-Code 1, wenn es welche gibt",
  },
  lesson: {
    examples: [
      ["fettle scan secrets src .env", "Schlüssel und Passwörter in Dateien und Ordnern"],
      ["git diff --cached | fettle scan secrets -", "was gerade committet werden soll"],
      ["fettle scan injection README.md", "Anweisungen an einen Assistenten in dem, was andere schrieben"],
      ["fettle scan packages package.json", "Namen, die fast die von bekannten Paketen sind"],
    ],
    exits: [
      ["0", "nichts gefunden"],
      ["1", "etwas gefunden; jede Stelle wird gezeigt"],
      ["2", "eine Datei ist nicht lesbar; falscher Aufruf"],
    ],
  },
};
