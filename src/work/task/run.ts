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
import { feedbackWait } from "./states/feedback-wait.ts";
import { implementing } from "./states/implementing.ts";
import { intentAnalysis } from "./states/intent-analysis.ts";
import { planning } from "./states/planning.ts";
import { provingGround } from "./states/proving-ground.ts";
import { rehearsing } from "./states/rehearsal.ts";
import { repoDiscovery } from "./states/repo-discovery.ts";
import { verifying } from "./states/verifying.ts";
import { Stopped, type TaskState, Work } from "./work/work.ts";
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

export class TaskRun {
  readonly work: Work;
  readonly #controller = new AbortController();
  readonly #clock: TaskClock;
  readonly #world: TaskWorld;
  #reason: StopReason | { late: string } | undefined;

  constructor(world: TaskWorld, task: TaskRecord) {
    const { stateMs, capMs } = world.settings;
    this.#world = world;
    this.#clock = new TaskClock({ stateMs, capMs }, task.spentMs, world.clock, (what, limit) => {
      this.#stop({ late: `The ${what}'s time is over (${Math.round(limit / 6_000) / 10} min).` });
    });
    this.work = new Work(world, task, this.#clock, this.#controller.signal);
  }

  stop(reason: StopReason): void {
    this.#stop(reason);
  }

  #stop(reason: StopReason | { late: string }): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }

  /** Never rejects for what a task may come to; its last fact says what that is. */
  async run(): Promise<void> {
    const { work } = this;
    try {
      while (!finished(work.task)) {
        this.#clock.enterState(this.#stateMs());
        const came = await this.#once();
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

  async #once(): Promise<Step | { pause: string }> {
    const { work } = this;
    const state = states.find(({ name }) => name === work.task.state);
    if (!state) throw new Error(`no work is done in ${work.task.state}`);
    try {
      return await state.work(work);
    } catch (error) {
      if (error instanceof Stopped || this.#controller.signal.aborted) return this.#stopped();
      if (!(error instanceof Fault) || error.exit === Exit.integrity) throw error;
      return { to: "FAILED", detail: [error.message, error.remedy].filter(Boolean).join(" ") };
    }
  }

  #stopped(): Step | { pause: string } {
    const reason = this.#reason ?? "close";
    if (reason === "interrupt") return { to: "FAILED_BY_INTERRUPT", detail: "Stopped by the person." };
    if (reason === "close") return { pause: closedText(this.work.task) };
    return { to: "FAILED_BY_TIMEOUT", detail: reason.late };
  }

  async #judged(step: Step): Promise<Step> {
    if (this.#controller.signal.aborted && !step.to.startsWith("FAILED")) {
      const stopped = this.#stopped();
      if ("to" in stopped) return stopped;
    }
    const around = { repository: this.work.repository, now: this.#world.clock() };
    return judgeStep(this.work.task, step, (name, task) => holds(name, task, around));
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

/** Whoever is awaited can answer without going on first. */
function closedText(task: TaskRecord): string {
  const { id, state, envelope } = task;
  const question = openQuestion(task);
  if (state === "FEEDBACK_WAIT" || (state === "PLANNING" && envelope))
    return `Closed while it waits for an approval: fettle task approve ${id}`;
  if (question !== undefined) return `Closed. ${question} Answer it: fettle task answer ${id} "…"`;
  return `Closed; go on with: fettle task resume ${id}`;
}
