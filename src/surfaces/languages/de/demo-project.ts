import type { words } from "../../cli/commands/demo/project.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const demoProject: Translation<typeof words> = {
  title: "fettle demo project  von der Idee zum Pull Request",
  scripted:
    "Die Antworten des Modells stehen fest: von Hand geschrieben und über eine lokale Verbindung gegeben. Alles andere ist echt: die Planungsdateien, die Prüfungen der Pläne, zwei Pläne zugleich in eigenen Worktrees, die Tests zuerst, die Unterschriften, die Integration, die Nachweise, der Push, das Protokoll. Die Forge ist ein kleiner Server auf diesem Rechner.",
  workspace: (folder) => `Das Repository ist ${folder}.`,
  approves: "Die Demo genehmigt hier selbst; im eigenen Repository würde gefragt.",
  idea: "Die Idee",
  failed: "Die Demo ist gescheitert.",
  refusal: "das hat die Demo nicht vorgesehen",
  outcome: {
    requirements: "Anforderungen",
    done: (done, all) => `${done} von ${all} erfüllt, jede durch eine Prüfung, die auf den Dateien des Commits lief`,
    waves: "Wellen",
    signed: (waves, plans) => `${plans} Pläne in ${waves} Wellen, jede Welle einmal genehmigt`,
    pull: "Pull Request",
    proposed: (title, branch) => `„${title}“ von ${branch}, nach je einem Ja gepusht und eröffnet`,
    tests: "Tests",
    green: "grün",
    ledger: "Protokoll",
    verified: "geprüft",
    time: "Zeit",
    took: (time) => `${time}, ohne das, was ein echtes Modell bräuchte`,
  },
  problems: {
    step: (step, text) => `\`fettle project ${step}\` endete anders als geschrieben: ${text}`,
    asked: (what) => `Es fragte nach etwas, das die Demo nicht vorgesehen hat: ${what}`,
    requirements: "Nicht jede Anforderung ist durch Nachweise erfüllt.",
    waves: "Es waren nicht zwei Wellen mit drei Plänen, jede einmal genehmigt.",
    pull: "Für den geprüften Commit wurde kein Pull Request eröffnet.",
    tests: (command, folder) => `\`${command}\` ist in ${folder} nicht grün.`,
    ledger: (problem) => `Das Protokoll ist nicht heil: ${problem}`,
  },
  next: (folder, program) => [
    ["zurückschauen", `cd ${folder} && git log --graph --oneline && cat .planning/ROADMAP.md`],
    ["", "cat .planning/phases/01-units/01-VERIFICATION.md"],
    ["ein eigenes", `cd eigenes/projekt && ${program} project new`],
  ],
};
