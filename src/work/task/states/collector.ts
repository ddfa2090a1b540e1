// Collects the evidence of one tree: each check is run once for it, and what it came to is kept with command, exit and digest.
import { withoutReport } from "../../../base/report-wrapper.ts";
import { sha256 } from "../../../base/digest.ts";
import type { Evidence } from "../../../protocol/evidence.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { judgePlanned } from "../checks/floor.ts";
import { telling } from "../healing/telling.ts";
import { named } from "../machine/floor.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import type { Work } from "../work/work.ts";
import { type CommandRun, endText, succeeded } from "../world/commands.ts";

type Verdict = Pick<Evidence, "ok" | "detail" | "tests" | "turned" | "gone" | "redAsBefore">;

export class Collector {
  readonly found: Evidence[] = [];
  /** By command: the tree is the same all along, and nothing of these checks changes it. */
  readonly #runs = new Map<string, CommandRun>();
  readonly #work: Work;
  readonly #tree: string;
  readonly #files: string;

  constructor(work: Work, { tree, files }: { tree: string; files: string }) {
    this.#work = work;
    this.#tree = tree;
    this.#files = files;
  }

  async command(
    tier: Evidence["tier"],
    claim: string | ((run: CommandRun) => string),
    command: string | undefined,
    judge?: (run: CommandRun) => Verdict,
  ): Promise<void> {
    if (!command) return;
    const run = await this.run(command);
    this.add(tier, typeof claim === "string" ? claim : claim(run), run, judge);
  }

  /** Once for each command and tree: what has just run on exactly these files says the same again. */
  async run(command: string, how: { mayFail?: boolean } = {}): Promise<CommandRun> {
    const known = this.#runs.get(command);
    if (known) return known;
    const seen = this.#work.checked.on(this.#files, command);
    if (seen)
      this.#work.tell(
        `on exactly these files already: ${withoutReport(command)}, ${endText(seen)}`,
        succeeded(seen) || undefined,
      );
    const run = seen ?? (await this.#work.run(command, how));
    this.#runs.set(command, run);
    return run;
  }

  /** As `run`, and from the second time on anew. */
  steady(command: string): () => Promise<CommandRun> {
    let first = true;
    return async () => {
      const run = first ? await this.run(command) : await this.#work.run(command);
      first = false;
      this.#runs.set(command, run);
      return run;
    };
  }

  add(tier: Evidence["tier"], claim: string, run: CommandRun, judge: (run: CommandRun) => Verdict = byExit): void {
    const { command, exit, digest } = run;
    this.found.push({ claim, tier, command, exit, output: digest, tree: this.#tree, ...judge(run) });
  }

  fact(tier: Evidence["tier"], claim: string, problem: string | undefined): void {
    const ok = problem === undefined;
    this.#work.tell(ok ? claim : problem, ok);
    this.found.push({
      claim,
      tier,
      command: "",
      exit: null,
      output: sha256(problem ?? ""),
      tree: this.#tree,
      ok,
      detail: problem ?? "",
    });
  }
}

export const shownOutput = 3000;

const byExit = (run: CommandRun) => ({
  ok: succeeded(run),
  detail: succeeded(run)
    ? run.ended === "running"
      ? run.output
      : ""
    : [endText(run), telling(run.output, shownOutput)].join("\n"),
});

/** A run of tests that fails by nothing but what was red before the work. */
export function byReport(run: CommandRun, format: ReportFormat, task: TaskRecord): Verdict {
  const { ok, red } = judgePlanned(run, format, task);
  return ok && red.length > 0 ? { ok, detail: named("red as before", red), redAsBefore: red } : byExit(run);
}
