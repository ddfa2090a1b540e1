import type { general as english } from "../../cli/words/general.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const general: Translation<typeof english> = {
  bug: (message) => `Das hätte nicht passieren dürfen: ${message.replace(/[.]$/, "")}.`,
  report: "Bitte melden, mit der Ausgabe desselben Befehls und --debug.",
  nothingToDo: "Ohne Eingabe gibt es nichts zu tun.",
  nothingToDoRemedy:
    'Zum Beispiel: fettle -p "warum schlägt die Anmeldung fehl?", oder durch eine Pipe: echo "…" | fettle -p',
  likelyTyped: (word, near) => `Einen Befehl „${word}“ gibt es nicht; ist „fettle ${near}“ gemeint?`,
  likelyTypedRemedy: (word) => `Um es als Eingabe zu senden: fettle -p -- ${word}`,
  usageRemedy: (command, prompt) =>
    `Siehe „${command} --help“.${prompt === undefined ? "" : `\nUm diese Wörter als Eingabe zu senden: ${prompt}`}`,
  forkOfNone: "Es ist nichts genannt, wovon eine Kopie gemacht werden könnte.",
  forkOfNoneRemedy: "So: fettle --continue --fork, oder fettle --resume KENNUNG --fork",
  bothSessions: "Entweder --continue oder --resume angeben, nicht beides.",
  badRole: (value) => `„${value}“ ist keine Rolle; möglich sind read-only, standard, privileged und admin.`,
  modeConflict: (mode) => `--mode ${mode} und --autonomy widersprechen sich; nur eines davon angeben.`,
  badAutonomy: (value) =>
    `„${value}“ ist keine Autonomie; möglich sind 0 bis 5 oder ask, cautious, standard, trusted, autonomous, full.`,
  badChoice: (flag, value, known) => `${flag} braucht eines von ${known.join(", ")}, nicht „${value}“.`,
  badMode: (value) =>
    `„${value}“ ist kein Modus; möglich sind ask, cautious, standard, trusted, autonomous, full, plan und deny.`,
  badAmount: (flag, value) => `${flag} braucht einen Betrag in US-Dollar, nicht „${value}“.`,
  badCount: (flag, value) => `${flag} braucht eine ganze Zahl ab 1, nicht „${value}“.`,
  badSchema: (file, why) => `${file} enthält kein JSON-Schema: ${why}.`,
  stdinSkipped: "Innerhalb von 3 s kam nichts auf der Standardeingabe; es geht ohne sie weiter.",
  stdinTooLong: (mb) => `Die Standardeingabe hat mehr als ${mb} MB, mehr als irgendein Modell auf einmal liest.`,
  stdinAsFile: "Den Text in eine Datei im Arbeitsbereich schreiben und diese in der Eingabe nennen.",
  stdinSource: "Standardeingabe",
  yesNo: {
    usuallyYes: "J/n",
    usuallyNo: "j/N",
    yes: ["j", "ja"],
    no: ["n", "nein"],
    neither: (text) => `„${text}“ ist weder ja noch nein. Mit j oder n antworten.`,
  },
  kept: (command) => `Was getan wurde, bleibt. Fortsetzen mit: ${command}`,
  exitCodes: [
    ["0", "fertig"],
    ["1", "gescheitert"],
    ["2", "falscher Aufruf oder falsche Konfiguration"],
    ["3", "eine Frage blieb unbeantwortet (niemand war da, um zu genehmigen)"],
    ["4", "Budget erreicht"],
    ["5", "von einer Grenze (Runden, Wiederholung, Ablehnungen) oder von fettle stop angehalten"],
    ["6", "Zeitgrenze erreicht"],
    ["7", "dem Protokoll oder den Daten ist nicht zu trauen"],
    ["69", "kein brauchbares Node.js"],
    ["130", "unterbrochen (Strg-C)"],
    ["143", "beendet"],
  ],
  examples: [
    ["fettle", "eine interaktive Sitzung in diesem Ordner"],
    ['fettle "warum schlägt die Anmeldung fehl?"', "dasselbe, mit einer ersten Eingabe"],
    ['fettle -p "repariere den Test"', "eine Eingabe; die Antwort auf der Standardausgabe"],
    ['git diff | fettle -p "prüfe das"', "was aus der Pipe kommt, geht als Daten mit"],
    ['fettle -p "…" --json | jq .type', "ein Ereignis je Zeile (fettle schema events)"],
    ["fettle -- stop das Leck", "hinter -- gehört jedes Wort zur Eingabe"],
    ["fettle --continue", "die letzte Sitzung hier fortsetzen"],
    ["fettle explain 'git push --force'", "wie ein Befehl beurteilt wird; nichts wird ausgeführt"],
    ["fettle demo", "fettle bei der Arbeit sehen, ohne Modell und ohne Schlüssel"],
  ],
  tagline: "Ein Coding-Agent für alle, die für das Tun eines Agenten einstehen müssen.",
};
