import type { words } from "../../cli/commands/policy/suggest.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const policySuggest: Translation<typeof words> = {
  rule: "Befehl",
  times: "genehmigt",
  first: "zuerst",
  last: "zuletzt",
  by: "von",
  none: "Nichts wurde oft genug genehmigt, dass eine Regel dafür stehen könnte.",
  withheld: "Für diese wird keine Regel vorgeschlagen:",
  approved: (count) => `${plural(count, "Mal", "Mal")} genehmigt`,
  howToWrite:
    "Nichts ist geschrieben. Diese Regeln in die eigene Konfiguration schreiben: fettle policy suggest --write",
  written: (file) => `In ${file} geschrieben. Sie gelten für Sitzungen, die ab jetzt beginnen.`,
  leastRemedy: "Zum Beispiel: fettle policy suggest --least 3.",
  least: (text) => `--least braucht eine ganze Zahl ab 2, nicht ${text}.`,
};
