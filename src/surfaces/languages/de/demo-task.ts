import type { words } from "../../cli/commands/demo/task.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const demoTask: Translation<typeof words> = {
  title: (title) => `fettle demo task  ${title}`,
  scripted:
    "Die Antworten des Modells stehen fest: von Hand geschrieben und über eine lokale Verbindung gegeben. Alles andere ist echt: die Zustände, der bindende Plan, das Gate, der Branch mit seinem Worktree, die Tests, die Unterschriften, der Merge, das Protokoll.",
  workspace: (folder) => `Eine Kopie des Beispiels arbeitet in ${folder}.`,
  approves: "Die Demo genehmigt hier selbst; im eigenen Repository würde gefragt:",
  choices: "(a) genehmigen   (c) ändern …   (r) zurückweisen …   (l) später",
  times: "Zeit je Schritt",
  total: "zusammen",
  timesNote: "ohne das, was ein echtes Modell bräuchte, und ohne Warten auf Antworten",
  tests: "Tests",
  red: (failed) => `${failed} rot durch eine Assertion`,
  green: "grün auf main",
  notGreen: "nicht grün auf main",
  evidence: "Nachweise",
  signatures: "Unterschriften",
  signed: (entries) => `beide im Protokoll, gebunden an Plan und Ergebnis (Einträge ${entries.join(" und ")})`,
  unsigned: "nicht durch das Protokoll belegt",
  replay: "Replay",
  same: (transitions, acts) =>
    `${plural(transitions, "Übergang", "Übergänge")} und ${plural(acts, "Handlung", "Handlungen")} noch einmal entschieden, alle wie damals`,
  ledger: "Protokoll",
  verified: "geprüft",
  broken: "nicht heil",
  failed: "Die Demo ist gescheitert.",
  problems: {
    end: (state, text) => `Die Aufgabe blieb bei ${state} stehen: ${text}`,
    asked: (what) => `Sie fragte nach etwas, das nicht im Plan steht: ${what}`,
    red: "Der Test war nie durch eine Assertion rot.",
    evidence: "Nicht alles ist gezeigt.",
    signatures: (problem) => `Plan oder Ergebnis ist im Protokoll nicht unterschrieben. ${problem}`,
    replay: (what) => `Noch einmal entschieden, weicht es ab: ${what}`,
    tests: (command, folder) => `\`${command}\` ist in ${folder} nicht grün.`,
    ledger: (problem) => `Das Protokoll ist nicht heil: ${problem}`,
  },
  next: (folder, program, id, name) => [
    ["zurückschauen", `cd ${folder} && git log --graph --oneline`],
    ["", `${program} task show ${id} --plan (oder --diff, --evidence)`],
    ["", `${program} audit query ${id}`],
    ["eine andere", name === "python" ? `${program} demo task` : `${program} demo task python`],
    ["eine eigene", `cd eigenes/projekt && ${program} task "der Rundungsfehler: aus 1.5 soll 2 werden"`],
  ],
};
