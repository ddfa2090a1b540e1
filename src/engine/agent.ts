// One agent: takes a person's commands, runs one turn at a time, and leaves every consequence in its session.
import { Fault } from "../base/fault.ts";
import type { Gate } from "../guard/gate.ts";
import { wrapAsData } from "../guard/firewall/data.ts";
import type { Firewall } from "../guard/firewall/firewall.ts";
import type { Hurry } from "../io/process/spec.ts";
import type { Arm } from "../model/arms.ts";
import type { Wire } from "../model/wire.ts";
import type { FactOf, Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import type { Json, Part } from "../protocol/message.ts";
import type { Registry } from "../tools/registry.ts";
import type { Report } from "../tools/tool.ts";
import { answerReview, type Review } from "./answer-schema.ts";
import { type BudgetLimits, limitedPrice } from "./budget.ts";
import { Checkpoints, type SnapshotSource } from "./checkpoint.ts";
import { buildRequest, type Prefix } from "./context.ts";
import type { ProgressLimits } from "./progress.ts";
import { recover, abandon } from "./recovery.ts";
import type { Session } from "./session.ts";
import { interruption } from "./round.ts";
import { currentTurn, openTurn } from "./state.ts";
import { runTurn } from "./turn.ts";

export interface AgentParts {
  session: Session;
  gate: Gate;
  registry: Registry;
  wire: Wire;
  firewall: Firewall;
  arm(name: string): Promise<Arm>;
  prefix(): Promise<Prefix>;
  snapshots: SnapshotSource;
  /** What commands left behind has been looked at. */
  settled?: () => Promise<void>;
  progress: ProgressLimits;
  budget: BudgetLimits;
  monthSpent(): number;
  /** Called with every priced round, for the user-wide ledger of money and the chain. */
  roundEnded(fact: FactOf<"round.ended">): void;
  /** Waits for a person's answer to the question asked in call `call`; undefined when nobody can or does answer. */
  question(call: string, signal: AbortSignal): Promise<string | undefined>;
  maxOutputTokens: number;
  temperature: number;
  turnMs: number;
  outputSchema?: Json;
  /** Who begins its turns: a mission of a task is begun by fettle, and no person has spoken. */
  origin?: "model" | "fettle";
}

/** Below this autonomy a turn ends with its whole diff, to keep or discard. */
const reviewedBelow = 4;

type Work = (signal: AbortSignal) => Promise<Stop>;

interface Activity {
  controller: AbortController;
  done: Promise<void>;
}

export class Agent {
  readonly checkpoints: Checkpoints;
  readonly #parts: AgentParts;
  #waiting: Part[][] = [];
  /** From a command to its turn's first fact: finding the model may take seconds. */
  #starting: Activity | undefined;
  #running: Activity | undefined;
  /** Calls that are being performed. */
  #performing = 0;
  #finishing: (Stop & Hurry) | undefined;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.checkpoints = new Checkpoints(parts.session, parts.snapshots);
  }

  get busy(): boolean {
    return this.#starting !== undefined || this.#running !== undefined;
  }

  /** Starts a turn, or joins the one that runs. Rejects (Fault) before anything is recorded when no model can answer. */
  async prompt(prompt: Part[]): Promise<void> {
    // Checked in one step with what follows: of several that wait, only the first begins a turn.
    while (this.#starting) await settled(this.#starting);
    if (this.#running) {
      this.#waiting.push(prompt);
      return;
    }
    const { session } = this.#parts;
    await this.#start(async (controller) => {
      const work = await this.#thinking();
      if (recover(session)) abandon(session);
      session.append({ type: "turn.started", turn: session.nextTurn(), prompt, origin: this.#parts.origin ?? "model" });
      this.#taintBy(prompt);
      this.#run(controller, work);
    });
  }

  /** Goes on with the turn that a crash interrupted; a command of the person's own is not done twice, only ended. */
  async resume(): Promise<void> {
    const { session } = this.#parts;
    const turn = openTurn(session.state);
    if (this.busy || !turn) {
      throw new Fault("turn.none-open", Exit.usage, "There is no interrupted turn to go on with.", "Give a prompt.");
    }
    await this.#start(async (controller) => {
      const work = turn.origin === "person" ? undefined : await this.#thinking();
      recover(session);
      if (work) this.#run(controller, work);
      else abandon(session);
    });
  }

  /** The person's own command, through the same gate; its output joins the conversation. */
  async shell(command: string): Promise<void> {
    this.#refuseWhileBusy();
    const { session } = this.#parts;
    if (recover(session)) abandon(session);
    const turn = session.nextTurn();
    session.append({ type: "turn.started", turn, prompt: [{ type: "text", text: `!${command}` }], origin: "person" });
    this.#run(new AbortController(), (signal) => this.#ownCommand(command, turn, signal));
  }

  /** For what must not meet a turn, like a rewind: a prompt that comes meanwhile waits for its end. */
  async alone(work: () => Promise<void>): Promise<void> {
    this.#refuseWhileBusy();
    await this.#start(work);
  }

  stop(reason?: Stop & Hurry): void {
    this.#starting?.controller.abort(reason);
    this.#running?.controller.abort(reason);
  }

  /** Lets what is being done end, up to `waitMs`, begins nothing more, and resolves when no turn runs. */
  async finish(waitMs: number, reason: Stop & Hurry): Promise<void> {
    this.#finishing = reason;
    if (this.#performing === 0) this.stop(reason);
    const timer = setTimeout(() => this.stop(reason), waitMs);
    await this.idle();
    clearTimeout(timer);
  }

  /** The moment that nothing is done any more comes before the next call could begin. */
  async #during<T>(work: Promise<T>): Promise<T> {
    this.#performing += 1;
    try {
      return await work;
    } finally {
      this.#performing -= 1;
      if (this.#finishing && this.#performing === 0) this.stop(this.#finishing);
    }
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    while (this.busy) {
      if (this.#starting) await settled(this.#starting);
      await this.#running?.done;
    }
  }

  async #ownCommand(command: string, turn: number, signal: AbortSignal): Promise<Stop> {
    const parsed = this.#parts.registry.parse("shell", { command });
    if ("problem" in parsed) return { kind: "done", code: "shell", text: parsed.problem };
    await this.checkpoints.ensure(turn);
    const call = { id: `person-${turn}`, tool: "shell", action: parsed.action, origin: "person" as const };
    const run = this.#report(call.id, signal);
    const work = this.#parts.gate.pass(call, (grant) => parsed.tool.run(parsed.input as never, grant, run), signal);
    const result = await this.#during(work);
    if (signal.aborted) return interruption(signal);
    return { kind: "done", code: "shell", text: result.status === "done" ? "Done." : "The command did not succeed." };
  }

  /** What comes meanwhile waits to see whether there will be a turn that it joins. */
  async #start(start: (controller: AbortController) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = start(controller);
    this.#starting = { controller, done };
    try {
      await done;
    } finally {
      this.#starting = undefined;
    }
  }

  /** What can be refused is refused here: without a model, a price that limits can hold, or a usable schema. */
  async #thinking(): Promise<Work> {
    const arm = await this.#affordable();
    const review = await answerReview(this.#parts.outputSchema);
    return (signal) => this.#think(arm, review, signal);
  }

  async #affordable(): Promise<Arm> {
    const arm = await this.#parts.arm(this.#parts.session.state.model);
    limitedPrice(arm, this.#parts.budget);
    return arm;
  }

  /** Piped or attached text that tries to give orders makes the session suspicious of itself. */
  #taintBy(prompt: readonly Part[]): void {
    for (const part of prompt) {
      if (part.type !== "text" || part.source === undefined) continue;
      const { suspicious } = wrapAsData(part.text, part.source);
      if (suspicious.length === 0) continue;
      this.#parts.session.append({ type: "taint.raised", source: part.source, why: suspicious.join(", ") });
    }
  }

  #refuseWhileBusy(): void {
    if (this.busy) {
      throw new Fault(
        "agent.busy",
        Exit.usage,
        "The agent is working.",
        "Wait for the turn to end or stop it (Ctrl-C).",
      );
    }
  }

  #run(controller: AbortController, work: Work): void {
    const timeout: Stop = { kind: "time", text: "Stopped: the turn's time is over (limits.turn_minutes)." };
    const timer = setTimeout(() => controller.abort(timeout), this.#parts.turnMs);
    timer.unref();
    const ended = this.#end(work(controller.signal)).finally(() => {
      clearTimeout(timer);
      this.#running = undefined;
    });
    const done = ended.then((stop) => this.#goOn(stop)).catch((error: unknown) => this.#parts.session.fail(error));
    this.#running = { controller, done };
  }

  async #end(work: Promise<Stop>): Promise<Stop> {
    const { session } = this.#parts;
    const stop = await work.catch(failedStop);
    const turn = currentTurn(session.state);
    if (!turn) return stop;
    await this.#parts.settled?.();
    const closed = await this.checkpoints
      .close(turn.turn, session.state.autonomy < reviewedBelow)
      .catch((error: unknown) => {
        const text = `The turn's diff could not be made: ${error instanceof Error ? error.message : String(error)}.`;
        session.append({ type: "notice.given", code: "checkpoint.failed", level: "warning", text });
        return undefined;
      });
    session.append({ type: "turn.ended", turn: turn.turn, stop, usage: turn.usage, cost: turn.cost, ...closed });
    // In one step with the fact: whoever sees the turn's end may begin something else.
    this.#running = undefined;
    return stop;
  }

  /** What was typed in the last moments of a turn becomes the next one, unless the person stopped everything. */
  async #goOn(stop: Stop): Promise<void> {
    if (stop.kind === "interrupted") {
      for (const prompt of this.#waiting.splice(0))
        this.#tell("prompt.dropped", `Not sent, as you stopped: ${textOf(prompt)}`);
      return;
    }
    const next = this.#waiting.shift();
    if (!next) return;
    await this.prompt(next).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      this.#tell("prompt.refused", [error.message, error.remedy].filter(Boolean).join(" "));
    });
  }

  #tell(code: string, text: string): void {
    this.#parts.session.append({ type: "notice.given", code, level: "warning", text });
  }

  async #think(arm: Arm, review: Review, signal: AbortSignal): Promise<Stop> {
    const { session, gate, registry, wire, firewall } = this.#parts;
    const turn = currentTurn(session.state)?.turn ?? 1;
    const prefix = await this.#parts.prefix();
    if (this.#parts.outputSchema !== undefined && session.state.rounds.every((each) => each.turn !== turn)) {
      const text = `Give your final answer as only JSON that fits this JSON Schema: ${JSON.stringify(this.#parts.outputSchema)}`;
      session.append({ type: "note.added", turn, text });
    }
    const model = { model: arm.model, maxOutputTokens: Math.min(this.#parts.maxOutputTokens, arm.maxOutput) };
    return runTurn({
      ...{ session, gate, registry, wire, firewall, arm, signal, turn, review },
      limits: this.#parts.progress,
      budget: {
        limits: this.#parts.budget,
        state: {
          get sessionSpent() {
            return session.state.rounds.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
          },
          monthSpent: this.#parts.monthSpent,
        },
      },
      checkpoint: () => this.checkpoints.ensure(turn),
      anticipate: () => this.checkpoints.anticipate(turn),
      report: (call) => this.#report(call, signal),
      during: (work) => this.#during(work),
      join: () => this.#join(turn),
      request: () =>
        buildRequest(prefix, session.state.conversation.messages, { ...model, temperature: this.#parts.temperature }),
      roundEnded: this.#parts.roundEnded,
    });
  }

  #join(turn: number): void {
    for (const prompt of this.#waiting.splice(0)) {
      this.#parts.session.append({ type: "prompt.joined", turn, prompt });
      this.#taintBy(prompt);
    }
  }

  #report(call: string, signal: AbortSignal): Report {
    const { session } = this.#parts;
    return {
      signal,
      output: (text) => session.publish({ type: "output.delta", call, text }),
      todo: (items) => {
        session.append({ type: "todo.set", items });
      },
      ask: async (question, options) => {
        const turn = currentTurn(session.state)?.turn ?? 0;
        session.append({ type: "question.asked", turn, call, question, options });
        const answer = await this.#parts.question(call, signal);
        session.append({ type: "question.answered", turn, call, ...(answer !== undefined && { answer }) });
        return answer;
      },
    };
  }
}

/** Why a start failed is told to whoever asked for it. */
const settled = ({ done }: Activity): Promise<void> => done.catch(() => undefined);

const textOf = (prompt: readonly Part[]): string =>
  prompt.map((part) => (part.type === "text" ? part.text : "[image]")).join(" ");

/** A broken store or ledger stops the turn as such; anything else unexpected is told, not hidden. */
function failedStop(error: unknown): Stop {
  if (error instanceof Fault && error.exit === Exit.integrity)
    return { kind: "integrity", text: error.message, code: error.code };
  if (error instanceof Fault)
    return { kind: "crashed", text: [error.message, error.remedy].filter(Boolean).join(" "), code: error.code };
  throw error;
}
