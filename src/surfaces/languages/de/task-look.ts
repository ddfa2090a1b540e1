import type { words } from "../../cli/commands/task/look.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const taskLook: Translation<typeof words> = {
  is: "ist jetzt",
  replayed: (transitions, acts) =>
    `${plural(transitions, "Übergang", "Übergänge")} und ${plural(acts, "Handlung", "Handlungen")} noch einmal entschieden`,
  same: "alles wie damals",
  was: "war",
};
