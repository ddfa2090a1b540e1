// What a state works with: the task as it is, its places, its crew, and the people who decide.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { WriteReport } from "../../../io/layers/spec.ts";
import type { ActionOf } from "../../../protocol/action.ts";
import { isApproved } from "../../../protocol/approved.ts";
import type { ApproverRole } from "../../../protocol/decision.ts";
import type { StoredFact } from "../../../protocol/event.ts";
import {
  finished,
  type EnvelopeTerms,
  type TaskPatch,
  type TaskRecord,
  type TaskStateName,
} from "../../../protocol/task.ts";
import { syntaxDigest } from "../../../guard/command-line/syntax/syntax-digest.ts";
import { amendmentRule } from "../../../guard/limits/envelope.ts";
import { minutes } from "../../../engine/clock.ts";
import type { TaskClock } from "../world/clock.ts";
import { type CommandRun, runCommand } from "../world/commands.ts";
import { CheckedRuns } from "./checked-runs.ts";
import { type Answer, askApproval } from "../world/approval.ts";
import { Crew, type MissionEnd, type Orders, promptsDigest } from "../world/crew.ts";
import { wordsOf } from "./learnt.ts";
import { writtenTexts } from "./leftovers-told.ts";
import { freeze, type Frozen, opened, termsOf } from "../machine/envelope.ts";
import { isLimit, Limited } from "./limited.ts";
import { amendmentBy } from "./amended.ts";
import { actsOf } from "./forge-acts.ts";
import { Repository } from "../world/git.ts";
import { gatedGit, type GitActs } from "../world/git-acts.ts";
import { ModelTime } from "./model-time.ts";
import { leaveWorktree, lentTo, ownWorktree, rollBack } from "./isolation.ts";
import type { Step } from "../machine/machine.ts";
import { commandClass } from "../stacks/times.ts";
import type { WorkFolder, TaskWorld } from "../world/world.ts";

const wentOn = "A limit of money or time had cut you off. The person has raised it: go on.";
const mostNamed = 10;
const longestLearnt = 1500;
const mostRead = 40;

/** Stopped on the way: the runner knows why. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** A person is awaited who is not here; the message says how to answer. */
export class Waits extends Error {
  override readonly name = "Waits";
}

const askedText = (id: string, question: string): string => `${question} Answer it: fettle task answer ${id} "…"`;

/** What a state comes to: a step of the machine, or a wait for somebody who is not there. */
export type StateOutcome = Step | { pause: string };

export interface TaskState {
  name: TaskStateName;
  work(work: Work): Promise<StateOutcome>;
}

export class Work {
  readonly world: TaskWorld;
  readonly repository: Repository;
  /** The only way to write to the repository or a worktree of it. */
  readonly git: GitActs;
  readonly crew: Crew;
  readonly checked = new CheckedRuns();
  readonly #modelTime: ModelTime;
  signal: AbortSignal;
  readonly #clock: TaskClock;
  #task: TaskRecord;
  #place: WorkFolder | undefined;
  /** The only files that the mission at work may write. */
  readonly #toldFiles = new Set<string>();
  #writes: readonly string[] | undefined;
  #asked: Extract<StoredFact, { type: "approval.asked" }>["request"][] = [];
  #learnt = false;
  readonly #unlisten: () => void;

  constructor(world: TaskWorld, task: TaskRecord, clock: TaskClock, signal: AbortSignal) {
    this.world = world;
    this.#task = task;
    this.#clock = clock;
    this.signal = signal;
    this.#modelTime = new ModelTime(task.modelMs ?? 0);
    this.repository = new Repository(world.repository);
    this.git = gatedGit({
      ...{ gate: () => world.home.gate(), task: task.id, signal: () => this.signal },
      check: () => this.check(),
    });
    this.crew = new Crew(
      (text) => this.#said(text),
      async ({ call, ...asked }, from) => {
        const answer = await world.answer(call, asked.question, from);
        if (answer !== undefined) this.#answeredWith(asked, answer);
        return answer;
      },
    );
    this.#unlisten = world.home.session.listen((fact) => this.#heard(fact));
  }

  get task(): TaskRecord {
    return this.#task;
  }

  /** Stores how far it is, in the state that it is in. */
  note(patch: TaskPatch, detail: string): void {
    this.moved({ to: this.#task.state, patch, detail });
  }

  moved({ to, patch = {}, detail }: Step): void {
    const learnt = this.#learnt && this.#task.learnt ? { learnt: this.#task.learnt } : {};
    this.#learnt = false;
    const whole = { ...learnt, ...patch, spentMs: this.#clock.spentMs, modelMs: this.#modelTime.ms };
    this.world.move(this.#task, { from: this.#task.state, to, patch: whole, detail });
    this.#task = { ...this.#task, ...whole, state: to };
  }

  tell(text: string, ok?: boolean): void {
    const { id, state } = this.#task;
    this.world.home.session.append({ type: "task.told", task: id, state, text, ...(ok !== undefined && { ok }) });
  }

  /** The task's worktree behind its gate; its plan is in force there. */
  get place(): WorkFolder {
    const { worktree } = this.#task;
    if (!worktree) throw new Error("a task without a worktree does not work in one");
    const envelope = opened(this.frozen);
    const { folder } = ownWorktree(this.world.worktrees, this.#task);
    this.#place ??= this.world.openWorktree(
      folder,
      () => this.#terms,
      lentTo(this.world.repository, folder, envelope.lent),
    );
    return this.#place;
  }

  get #terms(): EnvelopeTerms | undefined {
    const terms = termsOf(this.#task);
    return terms && { ...terms, ...actsOf(this.#task), ...(this.#writes && { writes: this.#writes }) };
  }

  /** The plan, if it is exactly what was approved. Throws a Fault otherwise: nothing is done on any other. */
  get frozen(): Frozen {
    const found = freeze(this.#task);
    if ("frozen" in found) return found.frozen;
    throw new Fault("task.not-frozen", Exit.integrity, found.why, `Look at it: fettle task show ${this.#task.id}`);
  }

  /** `mayFail`: that it fails is no trouble, but what is to be found out. */
  async run(command: string, how: { mayFail?: boolean } = {}): Promise<CommandRun> {
    this.extend(this.world.settings.commandMs(commandClass(command)), command);
    const run = await runCommand(this.place, command, this.signal, how);
    this.check();
    this.checked.add(run);
    this.tellWritten(command, run.written);
    return run;
  }

  /** Elsewhere than in the worktree, to find out whether it fails; what it leaves there is not told. */
  async runIn(place: WorkFolder, command: string): Promise<CommandRun> {
    this.extend(this.world.settings.commandMs(commandClass(command)), command);
    const run = await runCommand(place, command, this.signal, { mayFail: true });
    this.check();
    return run;
  }

  /** What a command wrote beside the plan, each file once. */
  tellWritten(command: string, written: WriteReport | undefined): void {
    for (const text of writtenTexts(command, written, this.#toldFiles)) this.tell(text);
  }

  /** Time for something slow, where nobody has said how much of it a state has. Whoever watches is told. */
  extend(ms: number, what: string): void {
    const more = this.world.settings.byStack ? this.#clock.reserve(ms) : 0;
    if (more > 0) this.tell(`${this.#task.state} may take ${minutes(more)} longer, for ${what}`);
  }

  /** In the worktree once there is one, else in the person's checkout, where it only reads. */
  async send(orders: Orders): Promise<MissionEnd> {
    this.#samePrompts();
    if (orders.mission === "coder") this.#task = { ...this.#task, codings: (this.#task.codings ?? 0) + 1 };
    // Before a plan is signed again, nothing is done in the worktree.
    const place = this.#task.worktree && this.#task.state !== "PLANNING" ? this.place : this.world.home;
    const install = this.#task.envelope?.plan.commands.install;
    const reserved = install === undefined ? [] : [syntaxDigest(install)];
    const answered = await this.#answered(orders);
    this.#writes = orders.writes;
    this.checked.end();
    try {
      const end = await this.crew.send(place, { ...orders, ...answered, reserved }, this.signal);
      this.check();
      this.#learn(orders.mission, end);
      if (isLimit(end.stop)) {
        this.note({ cutOff: { mission: orders.mission, state: this.#task.state } }, "cut off by a limit");
        throw new Limited(end.stop);
      }
      if (end.asked) this.#waits({ mission: orders.mission, state: this.#task.state, ...end.asked });
      return end;
    } finally {
      this.#writes = undefined;
    }
  }

  /** Kept with the next step; whoever comes later begins with it. */
  #learn(mission: string, { text, read, stop }: MissionEnd): void {
    if (stop.kind !== "done") return;
    const said = wordsOf(text).slice(0, longestLearnt);
    const before = (this.#task.learnt ?? []).filter((each) => each.mission !== mission);
    this.#task = { ...this.#task, learnt: [...before, { mission, said, read: read.slice(0, mostRead) }] };
    this.#learnt = true;
  }

  /** A mission waits for an answer, or was cut off by a limit: what it has done so far is kept as it is. */
  get awaited(): boolean {
    const { cutOff, state } = this.#task;
    return this.#asks || (cutOff !== undefined && cutOff.mission !== "" && cutOff.state === state);
  }

  get #asks(): boolean {
    const { asked, state } = this.#task;
    return asked !== undefined && asked.state === state && asked.answer === undefined;
  }

  #waits(asked: NonNullable<TaskRecord["asked"]>): never {
    this.note({ asked }, `to be asked: ${asked.question}`);
    throw new Waits(askedText(this.#task.id, asked.question));
  }

  /** What the mission asked before its process ended; throws Waits while nobody has answered. */
  async #answered({ mission, text }: Orders): Promise<Partial<Orders>> {
    const { asked, cutOff, state } = this.#task;
    if (cutOff?.mission === mission && cutOff.state === state) {
      this.note({ cutOff: { mission: "", state } }, `${mission} goes on`);
      return { next: wentOn, resumes: true, text: `${text}\n\n${wentOn}` };
    }
    if (!asked || !this.#asks || asked.mission !== mission) return {};
    const { question, options } = asked;
    const answer = await this.question(question, options);
    if (answer === undefined) throw new Waits(askedText(this.#task.id, question));
    this.#answeredWith({ mission, question }, answer, { asked: { ...asked, answer } });
    const said = `You asked: ${question}\nThe person answers: ${answer}\nGo on.`;
    return { next: said, resumes: true, text: `${text}\n\n${said}` };
  }

  /** The clock stands still while others work, who have a time of their own. */
  async elsewhere<T>(wait: () => Promise<T>): Promise<T> {
    this.#clock.wait();
    try {
      return await wait();
    } finally {
      this.#clock.goOn();
    }
  }

  async question(text: string, options: string[]): Promise<string | undefined> {
    this.#clock.wait();
    try {
      return await this.world.question(text, options, this.signal);
    } finally {
      this.#clock.goOn();
      this.check();
    }
  }

  /** Asks a person, whatever the autonomy: no rule and no level answers for them. */
  async approve(action: ActionOf<"task">, approver: ApproverRole = "developer"): Promise<Answer> {
    const { home, clock } = this.world;
    const gate = await home.gate();
    const asking = { session: home.session, gate, now: clock, signal: this.signal };
    const answer = await askApproval(asking, action, approver);
    this.check();
    return answer;
  }

  async closePlace(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await place?.close();
  }

  async leaveWorktree(): Promise<void> {
    if (this.#task.worktree) await leaveWorktree(this, this.world.worktrees, this.#task);
  }

  /** fettle's own act, in the task's own folder and nowhere else. Whatever of the task runs there is ended first. */
  async rollBack(head: string): Promise<void> {
    const { id } = this.#task;
    const worktree = ownWorktree(this.world.worktrees, this.#task);
    const paths = await rollBack(this.git, { ...worktree, head }, () => this.closePlace());
    if (paths.length === 0) return;
    const shown = paths.slice(0, mostNamed);
    this.world.note("task.rolled-back", { task: id, folder: worktree.folder, head, paths: shown, count: paths.length });
    this.tell(`taken back to ${head.slice(0, 9)}: ${shown.join(", ")}${paths.length > mostNamed ? " …" : ""}`);
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.closePlace();
  }

  /** Throws Stopped when the task was. */
  check(): void {
    if (this.signal.aborted) throw new Stopped();
  }

  /** Later missions are told it, and the pages show it. */
  #answeredWith(asked: { mission: string; question: string }, answer: string, patch: TaskPatch = {}): void {
    this.note({ ...patch, answers: [...(this.#task.answers ?? []), { ...asked, answer }] }, `answered: ${answer}`);
  }

  /** It is told to the mission that works; from here on it is also something that the result is held against. */
  #said(text: string): void {
    if (text === "" || finished(this.#task)) return;
    this.note({ said: [...(this.#task.said ?? []), text] }, `the person says: ${text}`);
  }

  /** Missions are told what they were to be told when the plan was frozen, or nothing is done. */
  #samePrompts(): void {
    const { id, envelope, worktree } = this.#task;
    if (!worktree || !envelope || this.#task.state === "PLANNING" || envelope.sampling.prompts === promptsDigest())
      return;
    throw new Fault(
      "task.prompts-changed",
      Exit.integrity,
      "The missions of this fettle are told something else than when the plan was frozen.",
      `Go on with the fettle that it was begun with, or begin anew: fettle task abandon ${id}`,
    );
  }

  #heard(fact: StoredFact): void {
    this.#modelTime.hear(fact);
    if (fact.type === "approval.asked") {
      this.#asked.push(fact.request);
      this.#clock.wait();
    }
    if (fact.type === "question.asked") this.#clock.wait();
    if (fact.type === "question.answered") this.#clock.goOn();
    if (fact.type !== "approval.answered") return;
    this.#clock.goOn();
    const request = this.#asked.find(({ nonce }) => nonce === fact.nonce);
    const amends = request?.reasons.some(({ code }) => code === `rule.${amendmentRule}`);
    if (request && amends && isApproved(fact.outcome)) this.#amend(request, fact.outcome.by);
  }

  /** What a person has allowed beyond the plan is part of it from here on. */
  #amend(request: Extract<StoredFact, { type: "approval.asked" }>["request"], by: string): void {
    const made = amendmentBy(this.#task, request, by);
    this.note({ amendments: [...(this.#task.amendments ?? []), made] }, `amended by ${by}: ${made.what}`);
  }
}
