import type { words } from "../../cli/commands/policy/index.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const policy: Translation<typeof words> = {
  help: {
    rank: "als Richtlinie der Maschine, als eigene oder als die eines Teams prüfen; team.toml ist die eines Teams",
    least: "mindestens so oft genehmigt (Voreinstellung: 3)",
    writeRules: "das Gezeigte in die eigene Konfiguration schreiben",
    check: "ist sie in Ordnung: gültig, nur verschärfend, ihren Beispielen treu (Exit-Code 2 kaputt, 1 untreu)",
    explain: "welche Datei jede Grenze setzt; zu einem Befehl: was jede Grenze und Erlaubnis dazu sagt",
    test: "die Beispiele einer Richtlinie durchspielen (Exit-Code 1 bei einem Fehlschlag)",
    accept: "eine Sitzung unter dem fortsetzen, was die Dateien jetzt sagen, wo sie gelockert wurden",
    diff: "was zwei Richtlinien unterscheidet und was das in der Vergangenheit geändert hätte",
    suggest: "Erlaubnisregeln für immer wieder Genehmigtes, als Diff der eigenen Konfiguration",
  },
  lesson: {
    examples: [
      ["fettle policy check", "die geltenden Richtlinien: in Ordnung, nur verschärfend, treu"],
      ["fettle policy check draft.toml --as team", "eine Datei, bevor sie gilt, als die eines Teams"],
      ["fettle policy explain 'git push'", "was jede Grenze und Erlaubnis zu einem Befehl sagt"],
      ["fettle policy test draft.toml", "ihre Beispiele als Tabelle"],
      ["fettle policy diff old.toml new.toml --since 30d", "was sich unterscheidet und was es geändert hätte"],
      ["fettle policy suggest --write", "Erlaubnisregeln für immer wieder Genehmigtes"],
      ["fettle policy accept", "die letzte Sitzung läuft unter gelockerten Dateien weiter"],
    ],
    exits: [
      ["0", "sie gilt; gezeigt"],
      ["1", "check, test: eine Regel oder ein Beispiel stimmt nicht"],
      ["2", "eine Datei ist kaputt oder lockert; falscher Aufruf"],
    ],
  },
};
