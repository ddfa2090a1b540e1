import type { words } from "../../cli/commands/project/evidence.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectEvidence: Translation<typeof words> = {
  help: "was zeigt, dass Anforderungen erfüllt sind: die Prüfungen jeder Phase mit Befehl, Exit-Code und Baum",
  none: "Es gibt noch keine Belege. Eine Phase prüfen: fettle project execute, oder fettle project verify",
  phase: (phase, status, tree) => `Phase ${phase}: ${status}, Baum ${tree}`,
  unknown: "das Protokoll kennt diese Datei nicht: sie ist eine Behauptung und zeigt nichts",
  done: "gezeigt",
  open: (why) => `nicht gezeigt: ${why}`,
  titles: { plan: "Plan", level: "Stufe", result: "Ergebnis", exit: "Exit", by: "gezeigt durch", claim: "Behauptung" },
  results: { shown: "gezeigt", failed: "gescheitert", unsure: "unsicher" },
  by: { code: "Code", command: "Befehl", agent: "Agent" },
  examples: [
    ["fettle project evidence 3", "die Belege von Phase 3"],
    ["fettle project evidence --json | jq '.[].requirements'", "für Programme"],
  ],
  exits: [
    ["0", "gezeigt"],
    ["1", "es gibt keine, oder das Protokoll kennt sie nicht"],
  ],
};
