import type { words } from "../../cli/commands/schema.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const schema: Translation<typeof words> = {
  help: {
    events: "JSON-Schema einer Zeile von --json",
  },
  lesson: {
    examples: [
      ["fettle schema events > events.schema.json", "was eine Zeile von -p --json und sessions export sein kann"],
    ],
    exits: [["0", "ausgegeben"]],
  },
};
