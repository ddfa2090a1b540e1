import type { words } from "../../cli/commands/logout.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const logout: Translation<typeof words> = {
  lesson: {
    examples: [["fettle logout anthropic", "der Schlüssel wird entfernt; einer in der Umgebung gilt weiter"]],
    exits: [
      ["0", "entfernt"],
      ["2", "kein solcher Anbieter, oder kein Schlüssel von ihm ist abgelegt"],
    ],
  },
  logoutDone: (provider) => `Der Schlüssel für ${provider} ist entfernt.`,
};
