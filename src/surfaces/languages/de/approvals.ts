import type { approvals as english } from "../../cli/words/approvals.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const approvals: Translation<typeof english> = {
  unanswered: (count) =>
    `${plural(count, "Frage blieb", "Fragen blieben")} unbeantwortet, also wurde nicht alles getan (Exit-Code 3). --wait-approvals wartet auf fettle approve von anderswo.`,
  waiting: (id) => `wartet auf eine Antwort: fettle approve ${id}, oder fettle deny ${id} --why "…"`,

  badWait: (value) => `--wait-approvals braucht eine ganze Zahl von Sekunden, nicht „${value}“.`,
  waitNeedsPrint: "--wait-approvals ist für einen Lauf ohne Rückfragen.",
  waitNeedsPrintRemedy: "Dazu -p angeben; eine interaktive Sitzung wartet ohnehin.",
};
