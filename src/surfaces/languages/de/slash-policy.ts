import type { policies } from "../../cli/session/slash-policy.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

const periods = { session: "je Sitzung", day: "am Tag", month: "im Monat" };

export const slashPolicy: Translation<typeof policies> = {
  modeNow: (mode) => `${mode}; was fragt und was läuft: /mode`,
  money: (period, limit, spent) => `${limit} ${periods[period]}, davon ${spent} ausgegeben`,
  noMoney: "keine Grenze (budget.session_limit_usd)",
  now: { mode: "Modus", role: "Rolle", money: "Geld", sandbox: "Sandbox" },
  others: (others, said) =>
    said === 0
      ? "Hier begrenzt keine Richtlinie etwas; es gelten die Einstellungen. „fettle policy explain“ zählt auf, was eine Richtlinie begrenzen kann."
      : `${plural(others, "weitere Grenze könnte", "weitere Grenzen könnten")} von einer Richtlinie gesetzt werden: fettle policy explain.`,
};
