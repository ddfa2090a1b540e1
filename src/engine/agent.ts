// One agent: takes a person's commands, runs one turn at a time, and leaves every consequence in its session.
import { Fault } from "../base/fault.ts";
import type { Gate } from "../guard/gate.ts";
import { wrapAsData } from "../guard/firewall/data.ts";
import type { Firewall } from "../guard/firewall/firewall.ts";
import type { Arm } from "../model/arms.ts";
import type { Wire } from "../model/wire.ts";
import type { FactOf, Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import type { Json, Part } from "../protocol/message.ts";
import type { Registry } from "../tools/registry.ts";
import type { Report } from "../tools/tool.ts";
import { answerReview } from "./answer-schema.ts";
import { type BudgetLimits, limitedPrice } from "./budget.ts";
import { Checkpoints, type SnapshotSource } from "./checkpoint.ts";
import { buildRequest, type Prefix } from "./context.ts";
import type { ProgressLimits } from "./progress.ts";
import { recover, abandon } from "./recovery.ts";
import type { Session } from "./session.ts";
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
}

/** Below this autonomy a turn ends with its whole diff, to keep or discard. */
const reviewedBelow = 4;

export class Agent {
  readonly checkpoints: Checkpoints;
  readonly #parts: AgentParts;
  #waiting: Part[][] = [];
  #running: { controller: AbortController; done: Promise<void> } | undefined;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.checkpoints = new Checkpoints(parts.session, parts.snapshots);
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Starts a turn, or joins the one that runs. Rejects (Fault) before anything is recorded when no model can answer. */
  async prompt(prompt: Part[]): Promise<void> {
    if (this.#running) {
      this.#waiting.push(prompt);
      return;
    }
    const arm = await this.#affordable();
    if (recover(this.#parts.session)) abandon(this.#parts.session);
    this.#parts.session.append({ type: "turn.started", turn: this.#parts.session.nextTurn(), prompt, origin: "model" });
    this.#taintBy(prompt);
    this.#run((signal) => this.#think(arm, signal));
  }

  /** Goes on with the turn that a crash interrupted. */
  async resume(): Promise<void> {
    if (this.#running || !openTurn(this.#parts.session.state)) {
      throw new Fault("turn.none-open", Exit.usage, "There is no interrupted turn to go on with.", "Give a prompt.");
    }
    const arm = await this.#affordable();
    recover(this.#parts.session);
    this.#run((signal) => this.#think(arm, signal));
  }

  /** The person's own command, through the same gate; its output joins the conversation. */
  async shell(command: string): Promise<void> {
    this.#refuseWhileBusy();
    const { session } = this.#parts;
    if (recover(session)) abandon(session);
    const turn = session.nextTurn();
    session.append({ type: "turn.started", turn, prompt: [{ type: "text", text: `!${command}` }], origin: "person" });
    this.#run(async (signal) => {
      const parsed = this.#parts.registry.parse("shell", { command });
      if ("problem" in parsed) return { kind: "done", code: "shell", text: parsed.problem };
      await this.checkpoints.ensure(turn);
      const call = { id: `person-${turn}`, tool: "shell", action: parsed.action, origin: "person" as const };
      const run = this.#report(call.id, signal);
      const result = await this.#parts.gate.pass(
        call,
        (grant) => parsed.tool.run(parsed.input as never, grant, run),
        signal,
      );
      return { kind: "done", code: "shell", text: result.status === "done" ? "Done." : "The command did not succeed." };
    });
  }

  stop(): void {
    this.#running?.controller.abort();
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    await this.#running?.done;
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
    if (this.#running) {
      throw new Fault(
        "agent.busy",
        Exit.usage,
        "The agent is working.",
        "Wait for the turn to end or stop it (Ctrl-C).",
      );
    }
  }

  #run(work: (signal: AbortSignal) => Promise<Stop>): void {
    const controller = new AbortController();
    const timeout: Stop = { kind: "time", text: "Stopped: the turn's time is over (limits.turn_minutes)." };
    const timer = setTimeout(() => controller.abort(timeout), this.#parts.turnMs);
    timer.unref();
    const done = this.#endTurn(work(controller.signal))
      .finally(() => {
        clearTimeout(timer);
        this.#running = undefined;
      })
      .then(() => this.#next(controller.signal.aborted))
      .catch((error: unknown) => this.#parts.session.fail(error));
    this.#running = { controller, done };
  }

  /** Typed in the last moments of a turn: it becomes the next turn instead of being lost. */
  async #next(stopped: boolean): Promise<void> {
    const next = this.#waiting.shift();
    if (stopped || !next) this.#waiting = [];
    else {
      await this.prompt(next).catch((error: unknown) => {
        if (!(error instanceof Fault) || error.exit === Exit.integrity) throw error;
        this.#waiting = [];
        const text = [error.message, error.remedy].filter(Boolean).join(" ");
        this.#parts.session.append({ type: "notice.given", code: error.code, level: "error", text });
      });
    }
  }

  async #endTurn(work: Promise<Stop>): Promise<void> {
    const { session } = this.#parts;
    const stop = await work.catch(failedStop);
    const turn = currentTurn(session.state);
    if (!turn) return;
    const closed = await this.checkpoints
      .close(turn.turn, session.state.autonomy < reviewedBelow)
      .catch((error: unknown) => {
        const text = `The turn's diff could not be made: ${error instanceof Error ? error.message : String(error)}.`;
        session.append({ type: "notice.given", code: "checkpoint.failed", level: "warning", text });
        return undefined;
      });
    session.append({ type: "turn.ended", turn: turn.turn, stop, usage: turn.usage, cost: turn.cost, ...closed });
  }

  async #think(arm: Arm, signal: AbortSignal): Promise<Stop> {
    const { session, gate, registry, wire, firewall } = this.#parts;
    const turn = currentTurn(session.state)?.turn ?? 1;
    const prefix = await this.#parts.prefix();
    const review = await answerReview(this.#parts.outputSchema);
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
            return session.state.cost ?? 0;
          },
          monthSpent: this.#parts.monthSpent,
        },
      },
      checkpoint: () => this.checkpoints.ensure(turn),
      report: (call) => this.#report(call, signal),
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

/** A broken store or ledger stops the turn as such; anything else unexpected is told, not hidden. */
function failedStop(error: unknown): Stop {
  if (error instanceof Fault && error.exit === Exit.integrity)
    return { kind: "integrity", text: error.message, code: error.code };
  if (error instanceof Fault)
    return { kind: "crashed", text: [error.message, error.remedy].filter(Boolean).join(" "), code: error.code };
  throw error;
}
