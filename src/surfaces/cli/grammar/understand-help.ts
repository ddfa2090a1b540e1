// What the --help of `fettle policy`, `scan`, `demo` and `schema` teaches.
import type { Lesson } from "./grammar.ts";

export const understandHelp = {
  policy: {
    examples: [
      ["fettle policy check", "the policy files in force: sound, only tightening, true"],
      ["fettle policy check draft.toml --as team", "a file before it counts, as a team's"],
      ["fettle policy explain 'git push'", "what each limit and permit says of a command"],
      ["fettle policy test draft.toml", "its examples as a table"],
      ["fettle policy diff old.toml new.toml --since 30d", "what differs, and what it would have changed"],
      ["fettle policy suggest --write", "allow rules for what you approve again and again"],
      ["fettle policy accept", "the last session goes on under files that were loosened"],
    ],
    exits: [
      ["0", "it holds; shown"],
      ["1", "check, test: a rule or an example is not true"],
      ["2", "a file is broken or loosens; wrong usage"],
    ],
  },
  scan: {
    examples: [
      ["fettle scan secrets src .env", "keys and passwords in files and folders"],
      ["git diff --cached | fettle scan secrets -", "what is about to be committed"],
      ["fettle scan injection README.md", "orders to an assistant in what others wrote"],
      ["fettle scan packages package.json", "names that are nearly those of well-known packages"],
    ],
    exits: [
      ["0", "nothing found"],
      ["1", "something found; each place is shown"],
      ["2", "a file cannot be read; wrong usage"],
    ],
  },
  demo: {
    examples: [
      ["fettle demo", "a failing test is mended in a copy of a JavaScript project"],
      ["fettle demo python", "the same in another language"],
      ["fettle demo task", "from a ticket to a merged commit"],
      ["fettle demo --list", "which there are, and which toolchain is missing"],
    ],
    exits: [
      ["0", "the tests are green and the ledger verifies"],
      ["1", "they are not; it says why"],
      ["2", "no such demo, or its toolchain is missing"],
    ],
  },
  schema: {
    examples: [["fettle schema events > events.schema.json", "what a line of -p --json and sessions export can be"]],
    exits: [["0", "printed"]],
  },
} as const satisfies Record<string, Lesson>;
