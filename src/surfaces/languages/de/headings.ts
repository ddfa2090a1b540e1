import type { headings as english } from "../../cli/host/options.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const headings: Translation<typeof english> = {
  prompt: "Eingabe:",
  session: "Sitzung:",
  limits: "Grenzen:",
  common: "Überall:",
  examples: "Beispiele:",
  exits: "Exit-Codes:",
};
