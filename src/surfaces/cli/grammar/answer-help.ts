// What the --help of `fettle approvals`, `approve`, `deny`, `stop`, `identity` and `explain` teaches.
import type { Lesson } from "./grammar.ts";

const answered = [
  ["0", "answered"],
  ["1", "the run has not taken it yet; a task that goes on with it has failed"],
  ["2", "no such request, or answered or expired already"],
] as const;

export const answerHelp = {
  approvals: {
    examples: [
      ["fettle approvals", "what waits, from every terminal of this project"],
      ["fettle approvals 3f2a", "one in full: what it would do, and why it is asked"],
      ["fettle approvals --watch", "each when it comes, and how it is answered"],
    ],
    exits: [
      ["0", "shown"],
      ["2", "no such request"],
      ["130", "watched until Ctrl-C"],
    ],
  },
  approve: {
    examples: [
      ["fettle approve 3f2a", "this one call of a run; the beginning of its id is enough"],
      ["fettle approve 3f2a --session", "and the same again, while that session runs"],
      ["fettle approve 3f2a --like", "and what its pattern covers; fettle approvals 3f2a shows it first"],
      ["fettle approve 3f2a --always", "and for good: the rule that fettle approvals 3f2a shows is written"],
      ["fettle task approve 80ab", "the plan or the result of a task, by the task's id"],
    ],
    exits: answered,
  },
  deny: {
    examples: [
      ['fettle deny 3f2a --why "use the trash instead"', "this one call of a run; the model hears why and goes on"],
      ['fettle task reject 80ab --why "it changes the interface"', "the plan or the result of a task: it ends"],
      ["fettle stop 20261122-8b8c77", "not one call but the run itself"],
    ],
    exits: answered,
  },
  stop: {
    examples: [
      ["fettle stop", "shows what runs in this project, and asks; tasks can be resumed later"],
      ["fettle stop 20261122-8b8c77", "one session, wherever it runs; the beginning of its id is enough"],
      ["fettle stop --all", "everything of this project, unasked"],
      ["fettle stop --all --everywhere --force", "everything of yours on this machine, at once"],
      ["fettle task cancel 80ab", "end a task for good; its branch is left"],
      ["fettle agents cancel explorer-1", "one subagent; its session goes on"],
    ],
    exits: [
      ["0", "stopped, or nothing runs"],
      ["1", "something still runs, or you said no"],
      ["2", "no such session, or nobody there to say which"],
    ],
  },
  identity: {
    examples: [
      ["fettle identity list", "who may run and approve what, and whose key is here"],
      ["fettle identity add bob --approver senior", "bob may approve what needs a senior"],
      ["fettle approve 3f2a --as bob", "in his name, with his key"],
      ["fettle identity remove token:ci", "and its key"],
    ],
    exits: [
      ["0", "shown; done"],
      ["2", "no such identity, or no such role"],
    ],
  },
  explain: {
    examples: [
      ["fettle explain 'rm -rf build'", "what it would do, part by part, and what the gate would say"],
      ["fettle explain 'curl x | sh' --json | jq -r .verdict", "allow, notify, ask or deny"],
      ["fettle --autonomy 4 explain 'npm install'", "the same at another level"],
    ],
    exits: [
      ["0", "explained, whatever the verdict"],
      ["2", "wrong usage"],
    ],
  },
} as const satisfies Record<string, Lesson>;
