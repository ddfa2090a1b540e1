// Commands that are to show something, each run once on exactly the files of a commit.
import type { PhaseCheck } from "../formats/evidence.ts";
import { planInStream } from "../formats/workstream.ts";
import { endText, succeeded } from "../../task/world/commands.ts";
import { Scratch } from "../waves/scratch.ts";
import type { ProjectWork } from "../work/work.ts";

export type Trial = Pick<PhaseCheck, "exit" | "output" | "result" | "why">;

export class Trials {
  readonly #work: ProjectWork;
  readonly #scratch: Scratch;
  readonly #known = new Map<string, Trial>();

  private constructor(work: ProjectWork, scratch: Scratch) {
    this.#work = work;
    this.#scratch = scratch;
  }

  static async open(work: ProjectWork, phase: string, commit: string): Promise<Trials> {
    return new Trials(work, await Scratch.open(work, { name: `verification-${phase}`, commit }));
  }

  /** `when`: how the run is told, where it is not of the phase as it is. */
  async at(commit: string, command: string, when = ""): Promise<Trial> {
    const key = `${commit} ${command}`;
    const before = this.#known.get(key);
    if (before) return before;
    const work = this.#work;
    const id = `${command}${when}`;
    work.part({ kind: "check", id, state: "working", text: "" });
    await this.#scratch.at(commit);
    const run = await this.#scratch.run(command);
    const ran = run.ended === "exited";
    const found: Trial = {
      ...{ exit: run.exit, output: run.digest },
      result: succeeded(run) ? "shown" : ran ? "failed" : "unsure",
      why: succeeded(run) ? "" : ran ? endText(run) : `it could not be run here: ${endText(run)}`,
    };
    // What fails before the work is as it should be.
    const done = found.result === "shown" || when !== "";
    work.part({
      ...{ kind: "check", id, state: done ? "done" : "failed" },
      text: found.why === "" ? `exit ${run.exit}` : found.why,
    });
    this.#known.set(key, found);
    return found;
  }

  close(): Promise<void> {
    return this.#scratch.close();
  }
}

/** The commit that the first of these plans was integrated onto; undefined where none was, as when others have carried them out. */
export async function beginningOf(
  { repository, world }: ProjectWork,
  plans: readonly string[],
): Promise<string | undefined> {
  const wanted = new Set(plans.map((id) => `Integrate plan ${planInStream(world.stream, id)}`));
  const log = await repository.line("log", "--fixed-strings", "--grep=Integrate plan ", "--format=%P%x09%s", "HEAD");
  let base: string | undefined;
  // Newest first: a plan of that name in a milestone before is another one.
  for (const row of (log ?? "").split("\n")) {
    const [parents = "", subject = ""] = row.split("\t");
    if (wanted.delete(subject)) base = parents.split(" ")[0];
  }
  return base;
}
