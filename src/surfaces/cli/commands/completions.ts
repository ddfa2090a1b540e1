// `fettle completions`: what a shell completes behind `fettle`, written from the grammar.
import { Argument } from "commander";
import { completionsFor, type Shell, shells } from "../completions/shells.ts";
import { known } from "../completions/known.ts";
import type { Define } from "../host/grammar.ts";
import { phrases } from "../../phrases/phrases.ts";

export const words = phrases("completions", {
  shell: "bash, zsh or fish",
  lesson: {
    examples: [
      ["fettle completions bash > ~/.local/share/bash-completion/completions/fettle", "for the next bash"],
      ['fettle completions zsh > "${fpath[1]}/_fettle"', "for the next zsh"],
      ["fettle completions fish > ~/.config/fish/completions/fettle.fish", "for the next fish"],
    ],
    exits: [
      ["0", "printed"],
      ["2", "no such shell"],
    ],
  },
});

export const define: Define = (command, start) =>
  start(
    command.addArgument(new Argument("<shell>", words.shell).choices(shells)),
    async (context, [shell]) => {
      context.out.write(completionsFor(shell as Shell, known(await context.grammar())));
      return 0;
    },
    { lesson: words.lesson, json: false },
  );
