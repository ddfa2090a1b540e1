// What the --help of `fettle task` teaches: how each is used, and what its exit codes mean.
import type { Lesson } from "./grammar.ts";

const ended = [
  ["0", "merged, proposed, left on its branch, or answered"],
  ["1", "failed; it says why"],
  ["2", "wrong usage: no repository, no model, no such task"],
  ["3", "waits for you: fettle task approve"],
  ["4", "the budget is used up"],
  ["5", "the base moved, or the plan reaches too far"],
  ["6", "out of time"],
  ["130", "stopped with Ctrl-C"],
] as const;

const looked = [
  ["0", "shown"],
  ["2", "no such task"],
] as const;

export const taskHelp = {
  task: {
    examples: [
      ['fettle task "fix the rounding bug: 1.5 should become 2"', "plan, approve, test first, mend, verify, merge"],
      ["fettle task --file ticket.md --no-merge", "the words from a file; the work is left on its branch"],
      ["fettle task < ticket.md", "the same from a pipe"],
      ['fettle task "add a --json flag" --strict', "refuse whatever the plan does not hold"],
      ["fettle task cancel 3fa2", "end it, as Ctrl-C twice does; Ctrl-D and fettle stop leave it for later"],
      ["fettle demo task", "see one, without any model or key"],
    ],
    exits: ended,
  },
  list: { examples: [["fettle task list", "who waits for whom, and what each has cost"]], exits: [["0", "listed"]] },
  show: {
    examples: [
      ["fettle task show", "the newest one"],
      ["fettle task show 3fa2", "the beginning of an id is enough"],
      ["fettle task show 3fa2 --plan", "the plan, exactly as it was put to you"],
      ["fettle task show 3fa2 --diff --evidence", "what was done, and what shows it"],
      ["fettle task show 3fa2 --json | jq .task.evidence", "for programs"],
    ],
    exits: looked,
  },
  watch: {
    examples: [
      ["fettle task watch", "from another terminal, the one at work: steps, what each waits for, cost"],
      ["fettle task watch 3fa2 --json | jq .waiting", "one object a line whenever something changes"],
    ],
    exits: ended,
  },
  resume: {
    examples: [
      ["fettle task resume", "the newest one that is not over: after a crash, a pause or a reboot"],
      ["fettle task resume 3fa2", "another one"],
    ],
    exits: ended,
  },
  replay: {
    examples: [["fettle task replay 3fa2", "would it be decided again as it was?"]],
    exits: [
      ["0", "as it was"],
      ["1", "something differs"],
      ["2", "no such task"],
    ],
  },
  cancel: {
    examples: [
      ["fettle task cancel 3fa2", "its branch is left, what is not committed is gone; fettle stop only pauses"],
    ],
    exits: [
      ["0", "cancelled"],
      ["2", "no such task, or it has ended"],
    ],
  },
  answer: {
    examples: [['fettle task answer 3fa2 "fix it, do not redesign it"', "what it asked before it could plan"]],
    exits: ended,
  },
  approve: {
    examples: [
      ["fettle task approve", "the only one that waits, and it goes on"],
      ['fettle task approve 3fa2 --with "also mention it in the README"', "not so, but with this: shown again"],
      ["fettle task approve 3fa2 --as bob", "in the name of another identity"],
      ["fettle approve 51c0", "of any run or task, one request by its own id (see fettle approvals)"],
    ],
    exits: ended,
  },
  reject: {
    examples: [
      ['fettle task reject 3fa2 --why "it changes the interface"', "the task ends; its branch is left"],
      ['fettle task approve 3fa2 --with "keep the interface"', "it does not end: it is planned or mended anew"],
      ['fettle deny 51c0 --why "use the cache"', "of any run or task, one request by its own id; the work goes on"],
    ],
    exits: [
      ["0", "denied where a process works on it"],
      ["1", "rejected: the task has failed"],
      ["2", "wrong usage: no reason, no such task, nothing to answer"],
    ],
  },
} as const satisfies Record<string, Lesson>;
