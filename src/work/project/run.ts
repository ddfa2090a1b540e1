// One step of a project, from its begin to what it comes to. Never rejects for what a step may come to.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { StepArguments } from "../../protocol/project.ts";
import type { ProjectStep, StepEnd } from "./steps/step.ts";
import { ProjectWork, StepStopped, StepWaits } from "./work/work.ts";
import type { ProjectWorld } from "./work/world.ts";

interface RunParts {
  world: ProjectWorld;
  step: ProjectStep;
  args: StepArguments;
  id: string;
  answers?: readonly string[];
}

export class ProjectRun {
  readonly work: ProjectWork;
  readonly #step: ProjectStep;
  readonly #controller = new AbortController();
  #reason: "interrupt" | "close" | undefined;

  constructor({ step, ...parts }: RunParts) {
    this.#step = step;
    this.work = new ProjectWork({ ...parts, step: step.name, signal: this.#controller.signal });
  }

  /** `interrupt`: the person wants it to end. `close`: this process ends. What is done so far is kept either way. */
  stop(reason: "interrupt" | "close"): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }

  async run(): Promise<void> {
    const { work } = this;
    const { name } = this.#step;
    const phase = this.#step.phase?.(work.args);
    const again = work.world.kept.get("begun") === true;
    await work.world.kept.set("begun", true);
    work.world.append({
      ...{ type: "project.begun", step: name },
      ...(phase !== undefined && { phase }),
      ...(again && { again: true as const }),
    });
    work.note("project.step", { step: name, ...(phase !== undefined && { phase }), state: "begun" });
    const end = await this.#ended();
    const exit = end.exit ?? Exit.done;
    if (exit === Exit.done || end.over) await work.world.kept.clear();
    else if (exit === Exit.failed || exit === Exit.stopped) await work.forgetRefusals();
    work.note("project.step", { step: name, ...(phase !== undefined && { phase }), state: "ended", exit });
    work.world.append({
      ...{ type: "project.ended", step: name, text: end.text, exit },
      ...(end.data !== undefined && { data: end.data }),
    });
  }

  async #ended(): Promise<StepEnd> {
    try {
      return await this.#step.run(this.work, this.work.args);
    } catch (error) {
      if (this.#reason !== undefined || error instanceof StepStopped) return this.#stopped();
      if (error instanceof StepWaits) return { text: error.message, exit: error.exit };
      if (!(error instanceof Fault) || error.exit === Exit.integrity) throw error;
      return { text: [error.message, error.remedy].filter(Boolean).join(" "), exit: error.exit };
    }
  }

  #stopped(): StepEnd {
    const text = `Stopped. What is done is kept; go on with: ${this.work.command()}`;
    return { text, exit: this.#reason === "close" ? Exit.terminated : Exit.interrupted };
  }
}
