// What a task, or a step of a project, writes to the repository: each act takes the gate with the origin `task` or `project`,
// stands in the ledger as begun and as ended, and is done with the grant's git only.
import { Fault } from "../../../base/fault.ts";
import type { Gate } from "../../../guard/gate.ts";
import type { GitExit } from "../../../io/git/git.ts";
import type { GitHand } from "../../../io/git/hand.ts";
import type { ActionOf, GateCall } from "../../../protocol/action.ts";
import { Exit } from "../../../protocol/exit.ts";
import { failure, textResult } from "../../../protocol/outcome.ts";
import type { Result } from "../../../protocol/result.ts";
import { textOf } from "./commands.ts";
import { type GitExtras, outputOf, patiently } from "./git.ts";

/** As git itself would be told; `folder`: the repository or worktree in which it is done. */
export type GitAct = Pick<ActionOf<"git">, "op" | "words" | "folder">;

/** git within one act. */
export class GitWriter {
  readonly #folder: string;
  readonly #hand: GitHand;

  constructor(folder: string, hand: GitHand) {
    this.#folder = folder;
    this.#hand = hand;
  }

  /** However it ends; while somebody else's git holds a lock there, it is waited for. */
  exit(args: string[], options: GitExtras = {}): Promise<GitExit> {
    return patiently(() => this.#hand.exit(args, options));
  }

  /** Standard output; throws a Fault that says what git said. */
  run(args: string[], options: GitExtras = {}): Promise<string> {
    return outputOf(this.#folder, args, options, (given, more) => this.#hand.exit(given, more));
  }
}

export type GitRun<T> = (git: GitWriter) => Promise<T>;

export interface GitActs {
  /** Throws a Fault where it is refused. What `run` returns as `why` stands in the record as what kept it from being done. */
  act<T>(act: GitAct, run: GitRun<T>): Promise<T>;
  /** What may as well stay: it is left where the gate would ask or refuse, and done even when the task was stopped. */
  tidy(act: GitAct, run: GitRun<void>): Promise<void>;
}

interface Passage {
  gate: () => Promise<Gate>;
  /** The task, or the run of the step. */
  task: string;
  origin?: "task" | "project";
  signal: () => AbortSignal;
  /** Throws what a stopped task throws. */
  check: () => void;
}

let counter = 0;

const callOf = (task: string, act: GitAct, origin: "task" | "project" = "task"): GateCall => {
  counter += 1;
  const id = `git-${Date.now().toString(36)}-${counter}`;
  return { id, tool: origin, action: { kind: "git", task, ...act }, origin };
};

export function gatedGit({ gate, task, origin = "task", signal, check }: Passage): GitActs {
  const pass = async <T>(act: GitAct, run: GitRun<T>, until: AbortSignal): Promise<T> => {
    let got: { value: T } | { error: unknown } | undefined;
    const call = callOf(task, act, origin);
    const result = await (await gate()).pass(
      call,
      async (grant): Promise<Result> => {
        try {
          const value = await run(new GitWriter(act.folder, grant.git()));
          got = { value };
          const why = refusalIn(value);
          return why === undefined ? textResult("Done.") : failure("git.not-done", why);
        } catch (error) {
          got = { error };
          return failure("git.failed", error instanceof Error ? error.message : String(error));
        }
      },
      until,
    );
    if (!got) {
      check();
      throw refused(act, textOf(result), origin);
    }
    if ("error" in got) throw got.error;
    return got.value;
  };
  return {
    act: (act, run) => pass(act, run, signal()),
    async tidy(act, run) {
      const { decision } = (await gate()).prepare(callOf(task, act, origin));
      if (decision.verdict === "ask" || decision.verdict === "deny") return;
      await pass(act, run, new AbortController().signal);
    },
  };
}

const refusalIn = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "why" in value && typeof value.why === "string"
    ? value.why
    : undefined;

const refused = ({ op }: GitAct, why: string, origin: "task" | "project" = "task"): Fault =>
  new Fault(
    `${origin}.git-refused`,
    Exit.failed,
    `A ${origin} writes to the repository, and git ${op} is refused: ${why}`,
    "See which rule it is: fettle config show, fettle policy explain",
  );

/** Why the gate would refuse what every task needs; undefined: nothing speaks against it. */
export function refusedGit(gate: Gate, { task, folder, merges }: { task: string; folder: string; merges: boolean }) {
  const needed: GitAct[] = [
    { op: "worktree", words: ["add", "--detach"], folder },
    { op: "branch", words: ["fettle/"], folder },
    { op: "worktree", words: ["add"], folder },
    { op: "reset", words: ["--hard"], folder },
    { op: "add", words: [], folder },
    { op: "commit", words: [], folder },
    ...(merges ? [{ op: "merge" as const, words: ["--no-ff"], folder }] : []),
  ];
  for (const act of needed) {
    const { decision } = gate.prepare(callOf(task, act));
    if (decision.verdict === "deny") return refused(act, decision.text);
  }
  return undefined;
}
