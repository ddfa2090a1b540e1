// What the --help of `fettle login`, `logout`, `doctor`, `config`, `trust` and `hooks` teaches.
import type { Lesson } from "./grammar.ts";

export const setUpHelp = {
  login: {
    examples: [
      ["fettle login anthropic", "asks for the key, without showing it, and keeps it in the keychain"],
      ["pass show openai | fettle login openai", "the key from elsewhere; it is never an argument"],
      ["fettle login github", "a token for pull requests, issues and the CI of tasks"],
    ],
    exits: [
      ["0", "stored"],
      ["2", "no such provider, no key, or no keychain and no --plain-file"],
      ["130", "stopped with Ctrl-C"],
    ],
  },
  logout: {
    examples: [["fettle logout anthropic", "the key is removed; one in the environment stays in force"]],
    exits: [
      ["0", "removed"],
      ["2", "no such provider, or no key of it is stored"],
    ],
  },
  doctor: {
    examples: [
      ["fettle doctor", "whether all is there that fettle needs, and what to do if not"],
      ["fettle doctor --json | jq '.[] | select(.status != \"ok\")'", "only what is wrong, for programs"],
    ],
    exits: [
      ["0", "fettle can work; warnings are told"],
      ["1", "something keeps fettle from working"],
    ],
  },
  config: {
    examples: [
      ["fettle config show budget", "the settings of a section: value, origin, what each is for"],
      ["fettle config get model.default", "one value, for scripts"],
      ["fettle config set model.default ollama/qwen3:8b", "yours, in ~/.config/fettle/config.toml"],
      ["fettle config unset model.default", "take it out again"],
      ["fettle config set limits.rounds 50 --project", "this repository's: it may only tighten"],
      ["fettle config path", "which files there are, and which are missing"],
      ["fettle config schema > schema.json", "every key with its meaning, for an editor"],
    ],
    exits: [
      ["0", "shown; set"],
      ["2", "no such setting, or a value that it cannot have"],
    ],
  },
  trust: {
    examples: [
      ["fettle trust", "what the repository brings, and what has changed since you trusted it"],
      ["fettle trust show --json | jq -r .state", "none, new, changed or trusted"],
      ["fettle trust accept", "after a question, exactly what is shown"],
      ["fettle trust revoke", "none of it is in force any more"],
    ],
    exits: [
      ["0", "shown; done"],
      ["1", "accept: you said no"],
      ["2", "accept: nobody there to say yes"],
    ],
  },
  hooks: {
    examples: [
      ["fettle hooks list", "where each stands, and whether it is used"],
      [
        `fettle hooks test before_tool --input '{"command":"rm x"}'`,
        "run those that match, once, and show what each answers; no call is made",
      ],
      ["fettle hooks test stop", "those that are asked before a turn may end"],
    ],
    exits: [
      ["0", "shown; every hook that ran has answered"],
      ["1", "test: one has failed"],
      ["2", "no such event, or input that is no JSON"],
    ],
  },
} as const satisfies Record<string, Lesson>;
