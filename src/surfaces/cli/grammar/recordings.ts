// Words of `fettle record`.
import type { Lesson } from "./grammar.ts";

export const recordHelp = {
  record: {
    examples: [
      [
        'fettle record bug.jsonl "fix the failing test"',
        "work as usual, write what was asked and answered, then check the file",
      ],
      ["fettle record bug.jsonl", "the same for a whole session"],
      ["fettle record check bug.jsonl", "no secret is in it, and it plays"],
      [
        'fettle -p "fix the failing test" -m recorded/$PWD/bug.jsonl',
        "play it: the model's answers come from the file",
      ],
    ],
    exits: [
      ["0", "done, and the recording plays"],
      ["1", "the recording does not play or holds a secret"],
      ["2", "wrong usage: no file named, or one that is no recording"],
      ["3", "an ask stayed unanswered, as in any run"],
      ["4", "the budget is used up"],
      ["5", "stopped"],
      ["130", "stopped with Ctrl-C"],
    ],
  },
  check: {
    examples: [
      ["fettle record check bug.jsonl", "read it, look for secrets, play it to itself; runs nothing and asks nobody"],
    ],
    exits: [
      ["0", "it is whole"],
      ["1", "it holds a secret, does not play, or is no recording; the line is named"],
      ["2", "it cannot be read"],
    ],
  },
  show: {
    examples: [["fettle record show bug.jsonl", "each round: what was asked, said and called"]],
    exits: [
      ["0", "shown"],
      ["2", "it is no recording; the line is named"],
    ],
  },
} satisfies Record<string, Lesson>;

export const recordings = {
  needsFile: "Name the file that receives the recording.",
  needsFileRemedy: 'fettle record bug.jsonl "fix the failing test"',
  nothing: "The model was not asked, so there is no recording.",
  whole: (file: string, rounds: number) => `${file}: ${count(rounds)}, no secrets, plays`,
  title: (file: string, title: string, rounds: number) => `${file}: ${title}, ${count(rounds)}`,
  secret: (line: number, what: string) => `line ${line}: holds a secret (${what})`,
  replay: (line: number, what: string) => `line ${line}: does not play: ${what}`,
  round: (number: number, line: number) => `Round ${number} (line ${line})`,
  asked: "asked",
  said: "said",
  called: "called",
  status: (status: number) => `HTTP status ${status}`,
  tokens: (input: number, output: number, cached: number) =>
    `${input} tokens in${cached > 0 ? ` (${cached} cached)` : ""}, ${output} out`,
};

const count = (rounds: number): string => (rounds === 1 ? "1 answer" : `${rounds} answers`);
