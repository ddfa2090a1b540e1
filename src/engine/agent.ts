// One agent: takes a person's commands, runs one turn at a time, and leaves every consequence in its session.
import { Fault } from "../base/fault.ts";
import type { Prepared } from "../guard/gate.ts";
import type { Hurry } from "../io/process/spec.ts";
import type { Arm } from "../model/contract/arm.ts";
import type { CommandClass } from "../protocol/effect.ts";
import type { Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import type { Part } from "../protocol/message.ts";
import type { Report } from "../tools/tool.ts";
import { ArmNotices } from "./arm-notices.ts";
import { type Activity, settled, textOf } from "./activity.ts";
import type { AgentParts } from "./agent-parts.ts";
import { type ArmChoice, ActiveModel } from "./arm-choice.ts";
import { answerReview, type Review } from "./answer-schema.ts";
import { limitedPrice } from "./budget/calls.ts";
import { minutes, TurnClock } from "./clock.ts";
import { Checkpoints } from "./checkpoint.ts";
import { closeTurn } from "./turn-close.ts";
import { startTurn } from "./turn-start.ts";
import { answerOfHelpers, pinnedHelpers } from "./context/helpers.ts";
import { ContextKeeper } from "./context/keeper.ts";
import { effortOfTurn } from "./effort.ts";
import { offeredTo, type Prefix } from "./context/prefix.ts";
import type { RoomParts, Wish } from "./context/room.ts";
import { Entering } from "./entering.ts";
import { taintByPrompt } from "./foreign-text.ts";
import { recover, abandon } from "./recovery.ts";
import { type CommandOpening, openCommand, type SingleCall, singleCall } from "./command-calls.ts";
import { reportOf } from "./report.ts";
import { failedStop } from "./failed-stop.ts";
import { currentTurn, openTurn } from "./session/state.ts";
import { runTurn, type TurnParts } from "./turn.ts";

export type { AgentParts } from "./agent-parts.ts";

type Work = (signal: AbortSignal) => Promise<Stop>;

export class Agent {
  readonly checkpoints: Checkpoints;
  readonly context: ContextKeeper;
  readonly #parts: AgentParts;
  #waiting: Part[][] = [];
  /** What fettle itself says before the next round. */
  #advice: string[] = [];
  /** From a command to its turn's first fact: finding the model may take seconds. */
  #starting: Activity | undefined;
  readonly #entering = new Entering();
  #running: Activity | undefined;
  /** Calls that are being performed. */
  #performing = 0;
  #finishing: (Stop & Hurry) | undefined;
  #clock: TurnClock | undefined;
  readonly #notices: ArmNotices;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#notices = new ArmNotices(parts.session);
    this.checkpoints = parts.checkpoints ?? new Checkpoints(parts.session, parts.snapshots, parts.own);
    const { session, context } = parts;
    this.context = new ContextKeeper({ session, ...context, pins: () => pinnedHelpers(session.state.agents) });
  }

  /** Takes back what was said last and has not joined yet; false: nothing waits. */
  readonly withdraw = (): boolean => this.#waiting.pop() !== undefined;

  get busy(): boolean {
    return this.#entering.busy || this.#starting !== undefined || this.#running !== undefined;
  }

  /**
   * Starts a turn, or joins the one that runs. Rejects (Fault) before anything is recorded when no model can answer.
   * `opening`: what the custom command says that the prompt names.
   */
  async prompt(given: Part[], opening?: CommandOpening): Promise<void> {
    if (opening && opening.calls.length > 0) this.#refuseWhileBusy();
    const { prompt, said, signal } = await this.#entering.enter(given, this.#parts.hooks);
    // Checked in one step with what follows: of several that wait, only the first begins a turn.
    while (this.#starting) await settled(this.#starting);
    if (this.#running) {
      const texts = [opening?.text, said].filter((text) => text !== undefined && text !== "");
      this.#waiting.push([...prompt, ...texts.map((text) => ({ type: "text" as const, text: text ?? "" }))]);
      return;
    }
    const { session } = this.#parts;
    await this.#start(async (controller) => {
      if (signal.aborted) controller.abort(signal.reason);
      const work = await this.#thinking(prompt, opening);
      if (recover(session)) abandon(session);
      const turn = startTurn(session, prompt, this.#parts.origin ?? "model");
      if (said) session.append({ type: "note.added", turn, text: said });
      taintByPrompt(session, prompt, this.#parts.inherits);
      this.#run(controller, work);
    });
  }

  /** A word of fettle's own, which the model reads before its next round of this turn. */
  advise(text: string): void {
    if (this.#running) this.#advice.push(text);
  }

  /** Goes on with the turn that a crash interrupted; a command of the person's own is not done twice, only ended. */
  async resume(): Promise<void> {
    const { session } = this.#parts;
    const turn = openTurn(session.state);
    if (this.busy || !turn) {
      throw new Fault("turn.none-open", Exit.usage, "There is no interrupted turn to go on with.", "Give a prompt.");
    }
    await this.#start(async (controller) => {
      const work = turn.origin === "person" ? undefined : await this.#thinking(turn.prompt);
      recover(session);
      if (work) this.#run(controller, work);
      else abandon(session);
    });
  }

  /** A turn that is one call: the person's own command, or what another program asks for once nothing else runs. */
  async call(call: SingleCall): Promise<void> {
    if (call.origin === "agent") await this.idle();
    this.#refuseWhileBusy();
    const { session } = this.#parts;
    if (recover(session)) abandon(session);
    const turn = startTurn(session, [{ type: "text", text: call.text }], call.origin);
    this.#run(new AbortController(), async (signal) => {
      const parts = await this.#commandCalls(turn, signal);
      await this.#open(turn, signal);
      return singleCall(parts, call);
    });
  }

  /** For what must not meet a turn, like a rewind: a prompt that comes meanwhile waits for its end. */
  async alone(work: () => Promise<void>): Promise<void> {
    this.#refuseWhileBusy();
    await this.#start(work);
  }

  /** Leaves out the beginning of the conversation now, or before the next round of the turn that runs. */
  async compact(wish: Wish): Promise<void> {
    while (this.#starting) await settled(this.#starting);
    if (this.#running) {
      this.context.wish = wish;
      return;
    }
    await this.#start(async ({ signal }) => {
      const { arm } = await this.#affordable([]);
      const prefix = await this.#parts.prefix();
      const turn = currentTurn(this.#parts.session.state)?.turn ?? 0;
      this.context.wish = wish;
      const { refused } = await this.context.makeRoom(this.#room(arm, prefix, { signal, turn }), "asked");
      if (refused !== undefined) throw new Fault("context.kept", Exit.usage, refused, "Ask again when more was said.");
    });
  }

  #room(arm: Arm, prefix: Prefix, of: Pick<RoomParts, "signal" | "turn" | "effort">): RoomParts {
    const { gate, registry, wire, firewall, budget, roundEnded, temperature } = this.#parts;
    const parts = { arm, gate, registry, wire, firewall, budget, roundEnded, temperature };
    return { ...parts, prefix: offeredTo(arm, prefix), ...of };
  }

  stop(reason?: Stop & Partial<Hurry>): void {
    this.#entering.stop(reason);
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
  async #during<T>(work: Promise<T>, prepared?: Prepared): Promise<T> {
    const command = prepared?.assessment.commandClass;
    const action = prepared?.call.action;
    if (command) this.#time(command, action?.kind === "shell" ? action.timeoutMs : undefined);
    this.#performing += 1;
    try {
      return await work;
    } finally {
      this.#performing -= 1;
      this.#clock?.stirs();
      if (this.#finishing && this.#performing === 0) this.stop(this.#finishing);
    }
  }

  /** Something was done for the turn that runs. */
  stirs(): void {
    this.#clock?.stirs();
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    while (this.busy) {
      await this.#entering.idle();
      if (this.#starting) await settled(this.#starting);
      await this.#running?.done;
    }
  }

  /** Whoever watches sees that a command takes longer than its kind usually may. */
  #time(command: CommandClass, wanted: number | undefined): void {
    const { session, commandMs } = this.#parts;
    const [usual, longest] = [commandMs(command, undefined), commandMs(command, wanted)];
    if (longest > usual) {
      const text = `This command may take ${minutes(longest)} instead of ${minutes(usual)}, as it asked.`;
      session.append({ type: "notice.given", code: "command.extended", level: "info", text });
    }
    this.#clock?.begins(longest);
  }

  async #commandCalls(turn: number, signal: AbortSignal) {
    const { session, registry } = this.#parts;
    return {
      ...{ session, registry, turn, signal, gate: await this.#parts.gate() },
      checkpoint: () => this.checkpoints.ensure(turn),
      report: (call: string) => this.#report(call, signal),
      during: <T>(work: Promise<T>, prepared?: Prepared) => this.#during(work, prepared),
    };
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
  async #thinking(prompt: readonly Part[], opening?: CommandOpening): Promise<Work> {
    const seat = new ActiveModel(await this.#affordable(prompt, opening?.model));
    const review = await answerReview(this.#parts.outputSchema, this.#parts.answerProblems);
    return async (signal) => {
      const turn = currentTurn(this.#parts.session.state)?.turn ?? 1;
      if (opening) await this.#open(turn, signal);
      const done = opening && (await openCommand(await this.#commandCalls(turn, signal), opening));
      return done ?? this.#think(seat, review, signal);
    };
  }

  async #affordable(prompt: readonly Part[], wanted?: string): Promise<ArmChoice> {
    const { session, choose, budget, mission, mends, effort } = this.#parts;
    const model = wanted ?? session.state.model;
    const sent = { ...(mission !== undefined && { mission }), ...(mends !== undefined && { mends }) };
    const more = { ...sent, ...(budget.limited() && { left: budget.left() }) };
    const choice = choose ? await choose({ model, prompt, ...more }) : { arm: await this.#parts.arm(model) };
    limitedPrice(choice.arm, budget);
    this.#notices.price(choice.arm, budget);
    if (this.#parts.origin === undefined)
      this.#notices.effort(choice.arm, session.state.effort ?? effort?.(choice.arm.name));
    return choice;
  }

  #refuseWhileBusy(): void {
    if (this.busy) {
      const remedy = "Wait for the turn to end or stop it (Ctrl-C).";
      throw new Fault("agent.busy", Exit.usage, "The agent is working.", remedy);
    }
  }

  #run(controller: AbortController, work: Work): void {
    const timeout: Stop = { kind: "time", text: "Stopped: the turn's time is over (limits.turn_minutes)." };
    const { session } = this.#parts;
    const clock = new TurnClock(this.#parts.clock, {
      over: () => controller.abort(timeout),
      extended: (text) => session.append({ type: "notice.given", code: "turn.extended", level: "info", text }),
    });
    this.#clock = clock;
    const ended = this.#end(work(controller.signal)).finally(() => {
      clock.stop();
      this.#running = undefined;
    });
    const done = ended.then((stop) => this.#goOn(stop)).catch((error: unknown) => session.fail(error));
    this.#running = { controller, done };
  }

  async #end(work: Promise<Stop>): Promise<Stop> {
    const { session } = this.#parts;
    const recorded = work.then((ended) => {
      this.#parts.recorded?.();
      return ended;
    });
    const stop = await recorded.catch(failedStop).catch(async (error: unknown) => {
      // Nothing ends them later, and they spend.
      await this.#parts.helpers?.()?.end({ kind: "crashed", text: "Its parent has failed." });
      throw error;
    });
    await this.#parts.helpers?.()?.end(stop);
    const turn = currentTurn(session.state);
    if (!turn) return stop;
    await this.#parts.settled?.();
    const closed = await closeTurn(this.#parts, this.checkpoints, turn.turn);
    session.append({ type: "turn.ended", turn: turn.turn, stop, usage: turn.usage, cost: turn.cost, ...closed });
    // In one step with the fact: whoever sees the turn's end may begin something else.
    this.#running = undefined;
    return stop;
  }

  /** What was typed in the last moments of a turn becomes the next one, unless the person stopped everything or left. */
  async #goOn(stop: Stop): Promise<void> {
    const why = this.#finishing ? "fettle was closed" : "you stopped";
    if (this.#finishing || stop.kind === "interrupted") {
      for (const prompt of this.#waiting.splice(0))
        this.#tell("prompt.dropped", `Not sent, as ${why}: ${textOf(prompt)}`);
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

  async #think(seat: ActiveModel, review: Review, signal: AbortSignal): Promise<Stop> {
    const { session, gate, registry, wire, firewall } = this.#parts;
    const turn = currentTurn(session.state)?.turn ?? 1;
    seat.begun(turn);
    const prefix = await this.#parts.prefix();
    await this.#open(turn, signal);
    if (this.#parts.outputSchema !== undefined && session.state.rounds.every((each) => each.turn !== turn)) {
      const text = `Give your final answer as only JSON that fits this JSON Schema: ${JSON.stringify(this.#parts.outputSchema)}`;
      session.append({ type: "note.added", turn, text });
    }
    await seat.prepare(session, turn, signal);
    const { longestAnswer, temperature } = this.#parts;
    // It holds for the whole turn: some vendors take no other in the middle of one.
    const effort = effortOfTurn(session.state, this.#parts.effort);
    const room = () => this.#room(seat.arm, prefix, { signal, turn, effort });
    return runTurn({
      ...{ session, gate, registry, wire, firewall, seat, signal, turn, review },
      limits: this.#parts.progress,
      budget: this.#parts.budget,
      checkpoint: () => this.checkpoints.ensure(turn),
      anticipate: () => this.checkpoints.anticipate(turn),
      report: (call) => this.#report(call, signal),
      during: (work) => this.#during(work),
      together: this.#parts.together,
      join: () => this.#join(turn),
      makeRoom: (why) => this.#makeRoom(room(), why),
      request: () => {
        const level = effort(seat.arm);
        const sampling = { maxOutputTokens: longestAnswer(seat.arm), temperature, ...(level && { effort: level }) };
        return this.context.request(offeredTo(seat.arm, prefix), seat.arm, sampling);
      },
      roundEnded: this.#parts.roundEnded,
      ending: (answer) => this.#ending(seat, answer, signal),
    });
  }

  async #makeRoom(room: RoomParts, why?: "overflow"): Promise<boolean> {
    const done = await this.context.makeRoom(room, why);
    if (!done.made && done.refused !== undefined && !room.signal.aborted) this.#tell("context.kept", done.refused);
    return done.made;
  }

  /** What hooks have to say at a session's start, before its first request. */
  async #open(turn: number, signal: AbortSignal): Promise<void> {
    const text = await this.#parts.hooks?.opening(signal);
    if (text) this.#parts.session.append({ type: "note.added", turn, text });
    const news = await this.#parts.news?.();
    if (news !== undefined) this.#parts.session.append({ type: "note.added", turn, text: news });
  }

  async #ending(seat: ActiveModel, answer: string, signal: AbortSignal): ReturnType<NonNullable<TurnParts["ending"]>> {
    const { helpers, hooks } = this.#parts;
    const note = await answerOfHelpers(helpers?.(), signal);
    if (note !== undefined) return { note };
    return (await hooks?.ending(answer, signal)) ?? seat.review(answer, signal);
  }

  #join(turn: number): void {
    const { origin, helpers } = this.#parts;
    const news = helpers?.()?.news();
    if (news !== undefined) this.#parts.session.append({ type: "note.added", turn, text: news });
    for (const text of this.#advice.splice(0)) this.#parts.session.append({ type: "note.added", turn, text });
    for (const prompt of this.#waiting.splice(0)) {
      this.#parts.session.append({ type: "prompt.joined", turn, prompt, ...(origin === "agent" && { origin }) });
      taintByPrompt(this.#parts.session, prompt, this.#parts.inherits);
    }
  }

  #report(call: string, signal: AbortSignal): Report {
    const { session, firewall, question } = this.#parts;
    return reportOf(session, call, { firewall, signal, question });
  }
}
