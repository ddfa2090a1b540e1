// The router at work in this process: chooses the arm of each turn, says so, goes on to the next one where it fails.
import { Fault } from "../../../base/fault.ts";
import type { ArmChoice, ArmWish } from "../../../engine/arm-choice.ts";
import type { Session } from "../../../engine/session/session.ts";
import type { SessionState } from "../../../engine/session/state.ts";
import type { Firewall } from "../../../guard/firewall/firewall.ts";
import type { Arm } from "../../../model/contract/arm.ts";
import { classify } from "../../../model/router/classify.ts";
import { fallbacks, spoken } from "../../../model/router/decide.ts";
import type { Stop } from "../../../protocol/event.ts";
import type { Classification, RouterOutcome, StrategyName } from "../../../protocol/router.ts";
import type { ArmSource } from "../cards/arm-source.ts";
import type { Program } from "../../program/program.ts";
import { barring } from "./programs.ts";
import { Downs } from "./downs.ts";
import { RouterMemory } from "./memory.ts";
import { needsOf, textOf, warmthOf } from "./needs.ts";
import { type Ask, type Course, newId, noneCan, type Plan, rowOf } from "./choice/log.ts";
import { MissionArms } from "./mission-arms.ts";
import { OutcomeWatch } from "./outcomes.ts";
import { reliefFor, reliefText } from "./strategies/mending.ts";
import { allowedBy, aloneText, offered } from "./strategies/allowed.ts";
import { Weighing } from "./weighing.ts";
import type { RoutedBy } from "./choice/words.ts";

/** `session` is its id. */
interface PlanAsk extends Omit<Ask, "session" | "staff"> {
  state: SessionState;
  session: string;
  strategies?: readonly StrategyName[];
  /** The arm that the mission began with does not bind. */
  free?: boolean;
  /** Somebody is there who may be asked; absent: as this process was started. */
  attended?: boolean;
}

export class Router {
  readonly memory: RouterMemory;
  readonly #program: Program;
  readonly #arms: ArmSource;
  readonly #watched = new WeakSet<Session>();
  readonly #downs = new Downs();
  readonly #weighing: Weighing;
  readonly #missions: MissionArms;
  /** By session: what was planned for the turn that runs, and what is asked instead. */
  readonly #departures = new Map<string, { planned: string; instead: string; why: string }>();

  constructor(program: Program, arms: ArmSource) {
    this.#program = program;
    this.#arms = arms;
    this.memory = new RouterMemory(program);
    this.#weighing = new Weighing(program, this.memory, this.#downs);
    this.#missions = new MissionArms(program, this.memory, this.#downs);
  }

  /** A later choice opens again what it needs: one part of a task may end before another. */
  close(): void {
    this.memory.close();
    this.#weighing.close();
  }

  /** Rejects with a Fault when no arm can take it. */
  async choose(ask: Ask): Promise<ArmChoice> {
    const { session } = ask;
    this.watch(session);
    this.#departures.delete(session.id);
    const alone = ask.wish.mission !== undefined || !ask.staff;
    const strategies = alone ? [] : this.strategies(session.state);
    const { mission, mends } = ask.wish;
    const relieved = mends === true && mission !== undefined && this.strategies(session.state).includes("cascade");
    const around = { state: session.state, session: session.id, strategies };
    const plan = await this.plan({ ...ask, ...around, ...(relieved && { free: true }) });
    const course: Course = { ask, plan, failed: new Set(), turn: 0 };
    const begun = relieved ? this.#missions.begunWith(session.id, mission) : undefined;
    const first = (begun === undefined ? undefined : this.#relieve(course, begun)) ?? plan.decision.chosen;
    if (first === undefined) throw noneCan(plan);
    const choice = (await this.#staged(course)) ?? (await this.#usable(course, first));
    if (!choice) throw noneCan(plan);
    this.#missions.keep(session.id, ask.wish.mission, choice.arm.name);
    return choice;
  }

  /** Who goes on with what the arm of the mission has made, when that fails: the best one, or itself. */
  #relieve(course: Course, from: string): string {
    const { session, wish } = course.ask;
    const to = reliefFor(course, from);
    if (to === undefined) return from;
    course.said = { arm: to, text: reliefText(course, { from, to }) };
    this.#departures.set(session.id, { planned: from, instead: to, why: "escalated" });
    const rows = this.memory.decisionsOf(session.id);
    const row = rows.find(({ mission, chosen }) => mission === wish.mission && chosen === from);
    if (row) this.memory.judge(row, "escalated");
    return to;
  }

  /** The arm that is expected to be best, for whoever has no turn to choose for. */
  async expected(by: RoutedBy): Promise<Arm> {
    const work: Classification = { type: "generation", complexity: 0.3, by: "words", because: "" };
    const needs = { tools: true, images: false, reasoning: false, contextTokens: 8_000 };
    const plan = await this.#weighing.weigh(work, by, { needs, barred: () => "it does whole turns only" });
    const [best] = plan.decision.candidates;
    if (best) return this.#arms(best.arm);
    // Who has nothing but programs is asked through one of them.
    const [only] = (await this.#weighing.weigh(work, by, { needs, barred: () => undefined })).decision.candidates;
    if (!only) throw noneCan(plan);
    return this.#arms(only.arm);
  }

  async plan({ state, session, firewall, wish, by, strategies = [], attended, free }: PlanAsk): Promise<Plan> {
    const said = { prompt: textOf(wish.prompt), ...(wish.mission !== undefined && { mission: wish.mission }) };
    const work = await this.#classified({ ...said, planOnly: state.ceiling === "plan" }, firewall);
    const warm = warmthOf(state, Date.now());
    const needs = needsOf(state, wish);
    const pin = wish.mission === undefined || free ? undefined : this.#missions.begunWith(session, wish.mission);
    const { headless, waitApprovals } = this.#program.flags;
    const { mission } = wish;
    const around = { state, mission, attended: attended ?? (!headless || waitApprovals !== undefined) };
    const barred = (arm: string) => barring(this.#program, around)(arm);
    const available = await offered(this.#program, strategies, work.type);
    const weigh = (wanted: string | undefined) =>
      this.#weighing.weigh(
        work,
        by,
        { needs, barred, ...(warm && { warm }), ...(wanted !== undefined && { pin: wanted }) },
        available,
      );
    const plan = await weigh(pin);
    const other = pin === undefined && mission === "auditor" ? this.#notTheCoder(session, plan) : undefined;
    if (other === undefined) return plan;
    const instead = await weigh(other);
    return { ...instead, decision: { ...instead.decision, why: "another than the one that did the work" } };
  }

  /** Whoever looks at work is somebody else than who did it, where there is another. Undefined: it is so already, or there is none. */
  #notTheCoder(session: string, { decision }: Plan): string | undefined {
    if (this.#program.config().settings.router.profile === "inherit") return undefined;
    const coder = this.#missions.begunWith(session, "coder");
    return coder === undefined || decision.chosen !== coder
      ? undefined
      : decision.candidates.find(({ arm }) => arm !== coder)?.arm;
  }

  /** A turn whose model was named is judged like any other. */
  noteNamed(session: Session, { turn, prompt, arm }: { turn: number; prompt: ArmWish["prompt"]; arm: string }) {
    if (this.memory.decisionsOf(session.id).some((each) => each.turn === turn)) return;
    const { type, complexity } = classify({ prompt: textOf(prompt), planOnly: session.state.ceiling === "plan" });
    const { profile } = this.#program.config().settings.router;
    this.memory.note({
      ...{ id: newId(), at: Date.now(), session: session.id, turn, type, complexity, profile, chosen: arm },
      ...{ pinned: true, propensities: { [arm]: 1 }, strategy: "single" },
    });
  }

  /** What the ledger says of a round that another arm than the planned one has answered. */
  departure(session: string, model: string): { planned: string; why: string } | undefined {
    const departed = this.#departures.get(session);
    return departed?.instead === model ? { planned: departed.planned, why: departed.why } : undefined;
  }

  watch(session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    const { id, state } = session;
    const watch = new OutcomeWatch(this.memory, {
      id,
      model: state.model,
      workspace: state.workspace,
      earlier: session.history(),
    });
    session.listen((fact) => watch.hear(fact));
  }

  async #classified(said: Parameters<typeof import("./classifier.ts").classified>[0], firewall: Firewall) {
    const { classified } = await import("./classifier.ts");
    return classified(said, { program: this.#program, arms: this.#arms, firewall });
  }

  /** The one that was named for the session, or those that the settings allow. */
  strategies({ strategy }: Pick<SessionState, "strategy">): readonly StrategyName[] {
    return strategy === undefined ? allowedBy(this.#program.config().settings) : [strategy];
  }

  /** Undefined where one arm does it alone; a person who wanted something else is told why. */
  async #staged(course: Course): Promise<ArmChoice | undefined> {
    const { session, staff, wish } = course.ask;
    const { strategy, strategies } = course.plan.strategy;
    const tell = (text: string, level: "info" | "warning" = "info") =>
      this.#tell(session, "router.strategy", text, level);
    if (strategy === "single") {
      const wanted = this.strategies(session.state);
      if (wish.mission === undefined && !wanted.includes("single"))
        tell(aloneText(strategies, wanted, staff !== undefined), "warning");
      return undefined;
    }
    if (!staff) return undefined;
    const { staged } = await import("./strategies.ts");
    return staged({
      ...{ course, staff, tell },
      usable: (arm) => this.#usable(course, arm),
      handOver: (arm, outcome) => this.#handOver(course, arm, outcome),
      judged: (arm, outcome) => this.#judged(course, arm, outcome),
    });
  }

  #judged(course: Course, arm: string, outcome: RouterOutcome): void {
    const rows = this.memory.decisionsOf(course.ask.session.id).filter(({ turn }) => turn === course.turn);
    const known = rows.find((row) => row.chosen === arm);
    this.memory.judge(known ?? { ...rowOf(course, arm, false), part: true }, outcome);
  }

  #handOver(course: Course, arm: string, outcome?: RouterOutcome): void {
    const before = this.memory.decisionsOf(course.ask.session.id).find(({ turn }) => turn === course.turn);
    if (before) {
      const part = { ...before, part: true };
      this.memory.note(part);
      if (outcome) this.memory.judge(part, outcome);
    }
    this.#log(course, arm, false);
  }

  /** The arm itself, or the next one where it turns out that it cannot be asked. */
  async #usable(course: Course, first: string): Promise<ArmChoice | undefined> {
    for (let name: string | undefined = first; name !== undefined; name = this.#next(course)) {
      try {
        const arm = await this.#arms(name);
        return this.#choiceOf(course, arm);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        course.failed.add(name);
        this.#downs.add(name, "setup");
        this.#tell(course.ask.session, "router.skipped", `${name} cannot be asked: ${error.message}`, "warning");
      }
    }
    return undefined;
  }

  #next({ plan, failed }: Course): string | undefined {
    return fallbacks(plan.decision, failed)[0];
  }

  #choiceOf(course: Course, arm: Arm): ArmChoice {
    const { ask, plan } = course;
    const { session } = ask;
    const more = fallbacks(plan.decision, new Set([...course.failed, arm.name])).length > 0;
    return {
      arm,
      begun: (turn) => {
        course.turn = turn;
        const planned = arm.name === plan.decision.chosen;
        const why = planned ? plan.decision.why : `${spoken(plan.work.type)}, as the others cannot be asked`;
        const said = course.said?.arm === arm.name ? course.said.text : `${arm.name} answers: ${why}.`;
        this.#tell(session, "router.chosen", said, "info");
        for (const text of this.memory.news()) this.#tell(session, "router.memory", text, "warning");
        this.#log(course, arm.name, planned && course.said === undefined && plan.strategy.strategy === "single");
      },
      ...(more && { instead: (stop) => this.#instead(course, arm, stop) }),
    };
  }

  async #instead(course: Course, arm: Arm, stop: Stop): Promise<ArmChoice | undefined> {
    const { ask, plan } = course;
    const { session } = ask;
    if (!this.#downs.failsOver(stop)) return undefined;
    course.failed.add(arm.name);
    this.#downs.add(arm.name, stop.code ?? stop.kind);
    const row = this.memory
      .decisionsOf(session.id)
      .find((each) => each.turn === course.turn && each.chosen === arm.name);
    if (row) this.memory.judge(row, "failed");
    if (stop.kind === "context") await this.#dropNarrow(course, arm);
    const next = this.#next(course);
    const choice = next === undefined ? undefined : await this.#usable(course, next);
    if (!choice) return undefined;
    const { name } = choice.arm;
    this.#tell(session, "router.fallback", `${arm.name} failed, ${name} is asked instead: ${stop.text}`, "warning");
    this.#departures.set(session.id, {
      planned: plan.decision.chosen ?? arm.name,
      instead: name,
      why: stop.code ?? stop.kind,
    });
    this.#missions.keep(session.id, ask.wish.mission, name);
    this.#log(course, name, false);
    return choice;
  }

  /** What reads no more than the one that was too narrow. */
  async #dropNarrow({ failed }: Course, { name, contextWindow }: Arm): Promise<void> {
    for (const { arm, contextTokens } of await this.#weighing.candidates())
      if (arm !== name && contextTokens <= contextWindow) failed.add(arm);
  }

  #tell(session: Session, code: string, text: string, level: "info" | "warning"): void {
    session.append({ type: "notice.given", code, level, text });
  }

  #log(course: Course, chosen: string, drawn: boolean): void {
    this.memory.note(rowOf(course, chosen, drawn));
  }
}
