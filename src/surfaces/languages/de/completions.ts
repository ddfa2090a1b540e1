import type { words } from "../../cli/commands/completions.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const completions: Translation<typeof words> = {
  shell: "bash, zsh oder fish",
  lesson: {
    examples: [
      ["fettle completions bash > ~/.local/share/bash-completion/completions/fettle", "für die nächste bash"],
      ['fettle completions zsh > "${fpath[1]}/_fettle"', "für die nächste zsh"],
      ["fettle completions fish > ~/.config/fish/completions/fettle.fish", "für die nächste fish"],
    ],
    exits: [
      ["0", "ausgegeben"],
      ["2", "keine solche Shell"],
    ],
  },
};
