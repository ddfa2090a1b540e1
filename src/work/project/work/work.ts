// What every step of a project works with: the facts of its files, its settings, agents, questions, files, commits and tasks.
import { sha256 } from "../../../base/digest.ts";
import { Exit, type ExitCode } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { ProjectView, StepArguments, StepPart } from "../../../protocol/project.ts";
import { authorship, Repository } from "../../task/world/git.ts";
import { gatedGit, type GitActs } from "../../task/world/git-acts.ts";
import { type ReadSettings, settingsOf } from "../facts/settings.ts";
import { type PlanningFiles, viewOf } from "../facts/view.ts";
import type { AgentOrder, AgentReply, PlanningWrite, ProjectWorld, TaskEnd, TaskOrder } from "./world.ts";

/** The run was stopped. */
export class StepStopped extends Error {
  override readonly name = "StepStopped";
}

/** It cannot go on before somebody has answered or mended something; the message says what to run. */
export class StepWaits extends Error {
  override readonly name = "StepWaits";
  readonly exit: ExitCode;

  constructor(message: string, exit: ExitCode = Exit.unanswered) {
    super(message);
    this.exit = exit;
  }
}

interface WorkParts {
  world: ProjectWorld;
  step: string;
  args: StepArguments;
  /** Of the run, for its acts and notes. */
  id: string;
  signal: AbortSignal;
  answers?: readonly string[];
}

export class ProjectWork {
  readonly world: ProjectWorld;
  readonly args: StepArguments;
  readonly id: string;
  readonly signal: AbortSignal;
  readonly repository: Repository;
  /** The only way to write to the repository. */
  readonly git: GitActs;
  readonly #step: string;
  #answers: string[];

  constructor({ world, step, args, id, signal, answers = [] }: WorkParts) {
    this.world = world;
    this.args = args;
    this.id = id;
    this.signal = signal;
    this.#step = step;
    this.#answers = [...answers];
    this.repository = new Repository(world.root);
    this.git = gatedGit({
      ...{ gate: () => world.gate(), task: id, origin: "project" as const },
      signal: () => this.signal,
      check: () => this.check(),
    });
  }

  /** The same run, for a step that another one does. */
  within(step: string, args: StepArguments): ProjectWork {
    const { world, id, signal } = this;
    const inner = new ProjectWork({ world, step, args, id, signal });
    inner.#answers = this.#answers;
    return inner;
  }

  /** Nobody is to be asked: whatever has a documented default takes it. */
  get auto(): boolean {
    return this.args.options["auto"] === true;
  }

  files(): Promise<PlanningFiles> {
    return this.world.planning();
  }

  async view(): Promise<ProjectView> {
    return { root: this.world.root, ...(await viewOf(await this.files())) };
  }

  async settings(): Promise<ReadSettings> {
    return settingsOf((await this.files()).texts.get("config.json")).read;
  }

  async agent<T>(order: AgentOrder<T>): Promise<AgentReply<T>> {
    const [reply] = await this.agents([order]);
    return reply as AgentReply<T>;
  }

  /** At once, as far as the limits let them; in the order of the orders. */
  async agents<T>(orders: readonly AgentOrder<T>[]): Promise<AgentReply<T>[]> {
    this.check();
    const replies = await this.world.consult(orders, this.signal);
    this.check();
    return replies as AgentReply<T>[];
  }

  /**
   * What a person answers; what was answered before a kill is not asked again. Where nobody can answer it is `usual`, the
   * documented default. Throws StepWaits where there is none.
   */
  async ask(text: string, options: string[], usual?: string): Promise<string> {
    const key = `answer:${sha256(text).slice(0, 16)}`;
    const known = this.world.kept.get(key);
    if (typeof known === "string") return known;
    const given = this.#answers.shift() ?? (this.auto && usual !== undefined ? usual : undefined);
    const answer = given ?? (await this.world.question(text, options, this.signal))?.trim();
    this.check();
    const said = answer === undefined || answer === "" ? usual : answer;
    if (said === undefined) throw new StepWaits(`${text} Answer it: ${this.command()} --answer "…"`);
    await this.world.kept.set(key, said);
    return said;
  }

  /** `usual`: what holds where nobody can answer. */
  async confirm(text: string, usual?: boolean): Promise<boolean> {
    const options = ["yes", "no"];
    const answer = await this.ask(text, options, usual === undefined ? undefined : usual ? "yes" : "no");
    return /^(?:y|yes|j|ja)\b/i.test(answer);
  }

  /** As a person would give it again. */
  command(): string {
    const { words, options } = this.args;
    const flags = Object.entries(options).flatMap(([name, value]) =>
      typeof value === "boolean" ? [`--${value ? "" : "no-"}${name}`] : [`--${name}`, String(value)],
    );
    return ["fettle project", this.#step, ...words.map(quoted), ...flags].join(" ");
  }

  write(make: (files: PlanningFiles, at: string) => Promise<PlanningWrite>): Promise<PlanningWrite> {
    this.check();
    return this.world.write(make);
  }

  /**
   * Commits what stands at these paths, and nothing else of the index. Only where the project keeps its documents in git
   * (`planning.commit_docs`), and none of them is ignored.
   */
  async commitDocuments(subject: string): Promise<string | undefined> {
    const settings = await this.settings();
    if (!settings["planning.commit_docs"]) return undefined;
    return this.commit([".planning"], subject);
  }

  /** The new commit; undefined where nothing differs. */
  async commit(paths: readonly string[], subject: string): Promise<string | undefined> {
    const { repository } = this;
    if ((await repository.commit("HEAD")) === undefined) return undefined;
    const changed = await repository.changed(true);
    const within = (file: string) => paths.some((each) => file === each || file.startsWith(`${each}/`));
    const own = changed.map(({ path }) => path).filter((file) => within(file) && !file.endsWith(".lock"));
    if (own.length === 0) return undefined;
    const env = authorship(await this.world.author());
    await this.git.act({ op: "add", words: ["--", ...paths], folder: repository.folder }, async (git) => {
      await git.run(["add", "--all", "--", ...own]);
    });
    await this.git.act({ op: "commit", words: ["--", ...paths], folder: repository.folder }, async (git) => {
      const args = ["commit", "--quiet", "--no-verify", "--cleanup=whitespace", "--file=-", "--only", "--", ...own];
      await git.run(args, { input: `${subject}\n`, env });
    });
    return repository.commit("HEAD");
  }

  /** A governed task, to where it ends or waits. */
  async task(order: TaskOrder): Promise<TaskEnd> {
    this.check();
    const end = await this.world.task(order, this.signal);
    this.check();
    return end;
  }

  tell(text: string, ok?: boolean): void {
    this.world.append({ type: "project.told", text, ...(ok !== undefined && { ok }) });
  }

  part(part: StepPart): void {
    this.world.append({ type: "project.part", part });
  }

  note(name: string, data: { [key: string]: Json }): void {
    this.world.note(name, { run: this.id, ...data });
  }

  check(): void {
    if (this.signal.aborted) throw new StepStopped();
  }
}

const quoted = (word: string): string => (/^[\w.,:/@-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`);
