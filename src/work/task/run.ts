// Runs a task from the state that it is in to its end, or to where it has to wait for somebody.
import { Fault } from "../../base/fault.ts";
import { Exit, exitOfTask } from "../../protocol/exit.ts";
import { finished, openQuestion, type TaskRecord } from "../../protocol/task.ts";
import { TaskClock } from "./world/clock.ts";
import { holds } from "./machine/invariants.ts";
import { judgeStep, type Step } from "./machine/machine.ts";
import { profileIn } from "./checks/settle.ts";
import { stateLimitMs } from "./stacks/times.ts";
import { complete } from "./states/complete.ts";
import { afterViolation, otherwise } from "./states/replan.ts";
import { feedbackWait } from "./states/feedback-wait.ts";
import { implementing } from "./states/implementing.ts";
import { intentAnalysis } from "./states/intent-analysis.ts";
import { limitAnswered, overLimit } from "./states/limited.ts";
import { wishes } from "./states/framing.ts";
import { planning } from "./states/planning.ts";
import { provingGround } from "./states/proving-ground.ts";
import { rehearsing } from "./states/rehearsal.ts";
import { repoDiscovery } from "./states/repo-discovery.ts";
import { verifying } from "./states/verifying.ts";
import { type StateOutcome, Stopped, type TaskState, Waits, Work } from "./work/work.ts";
import { Limited } from "./work/limited.ts";
import type { TaskWorld } from "./world/world.ts";

const states: readonly TaskState[] = [
  intentAnalysis,
  repoDiscovery,
  rehearsing,
  planning,
  provingGround,
  implementing,
  verifying,
  feedbackWait,
  complete,
];

/** `interrupt`: the person wants it to end. `close`: only this process ends, the task stays where it is. */
type StopReason = "interrupt" | "close";

/** What the person wants to be otherwise: the task is planned anew with it. */
export interface Otherwise {
  otherwise: string;
}

export class TaskRun {
  readonly work: Work;
  #controller = new AbortController();
  readonly #clock: TaskClock;
  readonly #world: TaskWorld;
  #reason: StopReason | Otherwise | { late: string } | undefined;
  /** The person goes on with it by an answer, and not only to try it again. */
  #answers: boolean;

  constructor(world: TaskWorld, task: TaskRecord, { answers = false }: { answers?: boolean } = {}) {
    this.#answers = answers;
    const { stateMs, capMs } = world.settings;
    this.#world = world;
    this.#clock = new TaskClock({ stateMs, capMs }, task.spentMs, world.clock, (what, limit) => {
      this.#stop({ late: `The ${what}'s time is over (${Math.round(limit / 6_000) / 10} min).` });
    });
    this.work = new Work(world, task, this.#clock, this.#controller.signal);
  }

  stop(reason: StopReason | Otherwise): void {
    this.#stop(reason);
  }

  #stop(reason: StopReason | Otherwise | { late: string }): void {
    if (this.#reason === undefined || isOtherwise(this.#reason)) this.#reason = reason;
    this.#controller.abort();
  }

  /** Never rejects for what a task may come to; its last fact says what that is. */
  async run(): Promise<void> {
    const { work } = this;
    try {
      if (work.task.limited && !this.#answers) work.note({ limited: "" }, "to be tried again");
      while (!finished(work.task)) {
        this.#clock.enterState(this.#stateMs());
        const came = await this.#once();
        if (came === undefined) continue;
        if ("pause" in came) return this.#pause(came.pause);
        const step = await this.#judged(came);
        if (step.to.startsWith("FAILED")) await this.#fail(step);
        else work.moved(step);
      }
      this.#end();
    } finally {
      this.#clock.stop();
      await work.close();
    }
  }

  #stateMs(): number {
    const { stateMs, byStack } = this.#world.settings;
    return byStack ? stateLimitMs(profileIn(this.work.task), stateMs) : stateMs;
  }

  /** Undefined: it stays in its state, which begins again. */
  async #once(): Promise<StateOutcome | undefined> {
    const { work } = this;
    const state = states.find(({ name }) => name === work.task.state);
    if (!state) throw new Error(`no work is done in ${work.task.state}`);
    try {
      const came = isOtherwise(this.#reason) ? undefined : await this.#worked(state);
      return isOtherwise(this.#reason) ? await this.#otherwise(this.#reason) : came;
    } catch (error) {
      if (isOtherwise(this.#reason)) return this.#otherwise(this.#reason);
      if (error instanceof Stopped || this.#controller.signal.aborted) return this.#stopped();
      if (error instanceof Waits) return { pause: error.message };
      if (!(error instanceof Fault) || error.exit === Exit.integrity) throw error;
      // What a person can mend, or what passes, ends no task.
      return { pause: cannotGoOn(work.task, [error.message, error.remedy].filter(Boolean).join(" ")) };
    }
  }

  async #worked(state: TaskState): Promise<StateOutcome | undefined> {
    try {
      const said = this.#answers;
      this.#answers = false;
      if (said && this.work.task.limited) return await limitAnswered(this.work);
      return await state.work(this.work);
    } catch (error) {
      if (error instanceof Limited && !this.#controller.signal.aborted) return overLimit(this.work, error.stop);
      throw error;
    }
  }

  /** What was being done is given up; the task goes on with what the person has said. */
  async #otherwise({ otherwise: words }: Otherwise): Promise<StateOutcome | undefined> {
    this.#reason = undefined;
    this.#controller = new AbortController();
    this.work.signal = this.#controller.signal;
    return otherwise(this.work, words);
  }

  #stopped(): Step | { pause: string } {
    const reason = this.#reason ?? "close";
    if (reason === "interrupt") return { to: "FAILED_BY_INTERRUPT", detail: "Stopped by the person." };
    if (reason === "close" || isOtherwise(reason)) return { pause: closedText(this.work.task) };
    return { to: "FAILED_BY_TIMEOUT", detail: reason.late };
  }

  async #judged(step: Step): Promise<Step> {
    if (this.#controller.signal.aborted && !step.to.startsWith("FAILED") && !isOtherwise(this.#reason)) {
      const stopped = this.#stopped();
      if ("to" in stopped) return stopped;
    }
    const around = { repository: this.work.repository, now: this.#world.clock() };
    const judge = (wanted: Step) => judgeStep(this.work.task, wanted, (name, task) => holds(name, task, around));
    const judged = await judge(step);
    if (judged === step || judged.to !== "FAILED") return judged;
    const back = await afterViolation(this.work, judged.detail);
    return back ? judge(back) : judged;
  }

  /** What was not committed is gone, with the worktree; the branch stays if there is anything on it. */
  async #fail({ to, patch, detail }: Step): Promise<void> {
    const { work } = this;
    await work.closePlace();
    await work
      .leaveWorktree()
      .catch((error: unknown) => work.tell(`The worktree is still there: ${String(error)}`, false));
    work.moved({ to, detail, patch: { ...patch, outcome: { kind: "failed", text: detail } } });
  }

  #pause(text: string): void {
    const { task } = this.work;
    this.#world.home.session.append({ type: "task.paused", task: task.id, state: task.state, text });
  }

  #end(): void {
    const { task } = this.work;
    const text = task.outcome?.text ?? "";
    this.#world.home.session.append({
      type: "task.ended",
      task: task.id,
      state: task.state,
      text,
      exit: exitOfTask(task),
    });
  }
}

const isOtherwise = (reason: unknown): reason is Otherwise =>
  typeof reason === "object" && reason !== null && "otherwise" in reason;

const cannotGoOn = ({ id }: TaskRecord, why: string): string =>
  `It cannot go on now: ${why} Then go on with it: fettle task resume ${id}`;

/** Whoever is awaited can answer without going on first. */
function closedText(task: TaskRecord): string {
  const { id, state, envelope } = task;
  const question = openQuestion(task);
  if (state === "FEEDBACK_WAIT" || (state === "PLANNING" && envelope?.inputs.request === wishes(task)))
    return `Closed while it waits for an approval: fettle task approve ${id}`;
  if (question !== undefined) return `Closed. ${question} Answer it: fettle task answer ${id} "…"`;
  return `Closed; go on with: fettle task resume ${id}`;
}
