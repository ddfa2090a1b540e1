import type { words } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const amounts: Translation<typeof words> = {
  costUnknown: "Kosten unbekannt",
  dollars: (amount) => `${amount} $`,
  million: (number) => `${number} Mio.`,
  tokens: (input, cached, output) =>
    `${input} ein${cached === undefined ? "" : ` (${cached} aus dem Cache)`}, ${output} aus`,
  justNow: "gerade eben",
  minutesAgo: (minutes) => `vor ${minutes} min`,
  hoursAgo: (hours) => `vor ${hours} h`,
  daysAgo: (days) => (days === 1 ? "vor 1 Tag" : `vor ${days} Tagen`),
};
