import type { words } from "../../cli/commands/trust.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const trust: Translation<typeof words> = {
  help: {
    show: "auflisten, und was sich seit dem Vertrauen geändert hat",
    accept: "genau das Gezeigte erlauben, bis es sich ändert",
    revoke: "das Vertrauen zurücknehmen",
  },
  lesson: {
    examples: [
      ["fettle trust", "was das Repository mitbringt und was sich seit dem Vertrauen geändert hat"],
      ["fettle trust show --json | jq -r .state", "none, new, changed oder trusted"],
      ["fettle trust accept", "nach einer Frage genau das Gezeigte"],
      ["fettle trust revoke", "nichts davon gilt mehr"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["1", "accept: die Antwort war Nein"],
      ["2", "accept: niemand da, um Ja zu sagen"],
    ],
  },
  none: "Dieses Repository bringt nichts mit, was Vertrauen braucht.",
  state: {
    new: "Dieses Repository bringt Einstellungen mit, die mehr tun als zu verschärfen. Sie gelten nicht.",
    changed: "Was dieses Repository mitbringt, hat sich geändert, seit ihm vertraut wurde. Nichts davon gilt.",
    trusted: "Dem, was dieses Repository mitbringt, wird vertraut, und es gilt.",
  },
  before: (by, at) => `Früheres Vertrauen von ${by}, ${at}.`,
  hint: "Genau dies annehmen: fettle trust accept; jede spätere Änderung fragt wieder.",
  already: "Dem, was dieses Repository mitbringt, wird schon vertraut.",
  question: (count) => `${plural(count, "Eintrag", "Einträgen")} dieses Repositorys vertrauen?`,
  needsYes: "Um einem Repository zu vertrauen, braucht es ein Ja.",
  needsYesRemedy: "Wo niemand antworten kann: --yes angeben.",
  accepted: (count) => `${plural(count, "Eintrag", "Einträgen")} wird vertraut. Eine spätere Änderung fragt wieder.`,
  revoked: "Dem, was dieses Repository mitbringt, wird nicht mehr vertraut.",
};
