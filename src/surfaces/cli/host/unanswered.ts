// Questions that nobody answered, and whether what they asked for was done otherwise.
import type { Action } from "../../../protocol/action.ts";
import type { ApprovalRequest } from "../../../protocol/approval.ts";
import type { Effect } from "../../../protocol/effect.ts";
import type { Event } from "../../../protocol/event.ts";

/** Reasons for which something that is only looked at is asked about. */
const looks = new Set(["path.outside", "path.environment-file", "path.git-config"]);

const writes = ({ kind }: Effect): boolean => kind !== "read" && kind !== "execute";

/**
 * The files of a commit, to look at them or run them, while those of the work are aside or stay where they are. Nobody
 * wants a stash for its own sake: who came by these files in another way has what was asked for, and the work is as it was.
 */
const earlierState = "the files of a commit";

/** Setting work aside, or a commit's files in a folder of their own. Bringing back what was set aside is told by `after`. */
const setsAside = ({ kind, target, part = "" }: Effect): boolean =>
  kind === "vcs" &&
  ((target === "worktree" && /\bworktree\s+add\b/.test(part)) ||
    (target === "stash" && /\bstash(?:\s+(?:push|save|-)|\s*$)/.test(part)));
const bringsBack = ({ kind, target, part = "" }: Effect): boolean =>
  kind === "vcs" && target === "stash" && /\bstash\s+pop\s*$/.test(part);

/** Prints what a commit holds: `git archive`, `git show COMMIT:FILE`. */
const printsCommit = ({ kind, target, part = "" }: Effect): boolean =>
  kind === "execute" && baseName(target) === "git" && /^\S+\s+(?:-\S+\s+)*(?:archive\b|show\s+\S+:\S)/.test(part);

/** What a later call has to do so that nothing of the question is left; empty where it would have changed nothing. */
function changesOf({ effects, reasons }: Pick<ApprovalRequest, "effects" | "reasons">, wasAside: boolean): string[] {
  const asks = (reasons ?? []).filter(({ risk }) => risk === "L2" || risk === "L3");
  if (asks.length > 0 && asks.every(({ code }) => looks.has(code)) && !effects.some(writes)) return [];
  const acts = effects.filter(writes);
  const runs = effects.filter(({ kind, target }) => kind === "execute" && !/^git$|\s/.test(baseName(target)));
  if (acts.length > 0 && acts.every((each) => setsAside(each) || (wasAside && bringsBack(each))))
    return [earlierState, ...new Set(runs.map(keyOf))];
  const told = acts.length > 0 ? acts : effects.filter(({ kind }) => kind === "execute");
  return [...new Set(told.map(keyOf))];
}

/** `npm view x` is not done by `npm test`: of what is executed, the words of its part say which it is. */
const keyOf = ({ kind, target, part }: Effect): string =>
  `${kind} ${kind === "execute" ? `${baseName(target)} ${verbOf(part)}` : target}`;

const baseName = (target: string): string => target.slice(target.lastIndexOf("/") + 1);

/** The first word behind the program that is no option. */
const verbOf = (part = ""): string =>
  part
    .trim()
    .split(/\s+/)
    .slice(1)
    .find((word) => !word.startsWith("-")) ?? "";

/** What a command takes away that nobody was asked about is a question of its own when it has ended. */
const done = ({ assessment, decision }: Extract<Event, { type: "call.decided" }>): readonly Effect[] =>
  (assessment?.effects ?? []).filter(({ kind }) => !(decision.quiet === true && kind === "delete"));

/** Follows the events of a run, those of its subagents too. */
export class Unanswered {
  readonly #asked = new Map<string, ApprovalRequest>();
  readonly #effects = new Map<string, readonly Effect[]>();
  readonly #open = new Map<string, Set<string>>();

  /** Questions that would have changed something which was not done otherwise. */
  get count(): number {
    return this.#open.size;
  }

  /** The actions of these questions, in the order in which they were asked. */
  get actions(): Action[] {
    return [...this.#open.keys()].flatMap((nonce) => this.#asked.get(nonce)?.action ?? []);
  }

  follow(event: Event): void {
    const inner = event.type === "agent.event" ? event.event : event;
    if (inner.type === "approval.asked") this.#asked.set(inner.request.nonce, inner.request);
    else if (inner.type === "approval.answered") this.#answered(inner.nonce, inner.outcome.kind);
    else if (inner.type === "call.decided") this.#effects.set(inner.call, done(inner));
    else if (inner.type === "call.ended" && inner.result.status === "done") this.#done(inner.call);
  }

  #answered(nonce: string, kind: string): void {
    if (kind !== "unanswered" && kind !== "expired") return;
    const request = this.#asked.get(nonce);
    const wasAside = [...this.#open.values()].some((left) => left.has(earlierState));
    const changes = request ? changesOf(request, wasAside) : ["unknown"];
    if (changes.length > 0) this.#open.set(nonce, new Set(changes));
  }

  #done(call: string): void {
    const effects = this.#effects.get(call) ?? [];
    const earlier = effects.some((each) => setsAside(each) || printsCommit(each)) ? [earlierState] : [];
    const keys = [...effects.map(keyOf), ...earlier];
    for (const [nonce, left] of this.#open) {
      for (const key of keys) left.delete(key);
      if (left.size === 0) this.#open.delete(nonce);
    }
  }
}
