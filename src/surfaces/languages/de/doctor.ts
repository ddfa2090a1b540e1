import type { words } from "../../cli/commands/doctor.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const doctor: Translation<typeof words> = {
  lesson: {
    examples: [
      ["fettle doctor", "ob alles da ist, was fettle braucht, und was zu tun ist, wenn nicht"],
      ["fettle doctor --json | jq '.[] | select(.status != \"ok\")'", "nur was nicht stimmt, für Programme"],
    ],
    exits: [
      ["0", "fettle kann arbeiten; Warnungen werden genannt"],
      ["1", "etwas hindert fettle am Arbeiten"],
    ],
  },
};
