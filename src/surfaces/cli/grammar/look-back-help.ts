// What the --help of `fettle sessions`, `rewind` and `audit` teaches.
import type { Lesson } from "./grammar.ts";

export const lookBackHelp = {
  sessions: {
    examples: [
      ["fettle sessions", "the newest twenty of this project"],
      ["fettle sessions list --limit 100 --json", "more of them, for programs"],
      ["fettle sessions show 20261122-8b8c77", "its turns; the beginning of its id is enough"],
      ['fettle sessions show 20261122-8b8c77 --recall "port 8080"', "where that was said in it"],
      ["fettle sessions export 20261122-8b8c77 > log.jsonl", "all that happened in it"],
      ["fettle sessions delete 20261122-8b8c77", "its conversation; the ledger keeps its entries"],
      ["fettle --resume 20261122-8b8c77", "go on with it"],
    ],
    exits: [
      ["0", "shown; deleted"],
      ["1", "show --recall: not found; delete: you said no"],
      ["2", "no such session, or nobody there to say yes"],
    ],
  },
  rewind: {
    examples: [
      ["fettle rewind", "to before the last turn, after a look at what would change"],
      ["fettle rewind 3 --files", "the files as they were before turn 3; the conversation stays"],
      ["fettle rewind --json", "only the preview, for programs"],
      ["fettle rewind --yes", "unasked; what others have changed since stays without --force"],
    ],
    exits: [
      ["0", "rewound, or previewed"],
      ["1", "you said no, or it was refused"],
      ["2", "no such turn or session, or nobody there to say yes"],
    ],
  },
  audit: {
    examples: [
      ["fettle audit verify", "whether nothing was changed, removed or put in"],
      ["fettle audit tail -n 50", "the newest fifty entries"],
      ["fettle audit query push --verdict deny --since 7d", "what was refused last week, and has that word"],
      ["fettle audit export --format csv > audit.csv", "all of it, as a table"],
      ["fettle audit key", "the fingerprint of the key that signs"],
      ["fettle audit checkpoint --to /mnt/safe", "signatures off this machine: safe from you, too"],
      ["fettle audit replay --policy stricter.toml", "past decisions that this policy would change"],
    ],
    exits: [
      ["0", "shown; whole"],
      ["2", "wrong usage"],
      ["7", "verify: the record is broken; the first bad entry is named"],
    ],
  },
} as const satisfies Record<string, Lesson>;
