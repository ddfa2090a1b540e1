// A worktree of a commit and no branch in which a wave or a phase is checked: what is run there leaves no trace.
import path from "node:path";
import { writeAtomic } from "../../../io/files/bytes.ts";
import { dropFolder } from "../../../io/folders/worktrees.ts";
import { makePrivateFolder } from "../../../io/places/places.ts";
import type { EnvelopeTerms } from "../../../protocol/task.ts";
import { type CommandRun, runCommand, writeFile } from "../../task/world/commands.ts";
import { copyable, furnish, ignoredIn, lendable, lentTo, removeWorktrees } from "../../task/work/isolation.ts";
import type { WorkFolder } from "../../task/world/world.ts";
import type { ProjectWork } from "../work/work.ts";

export class Scratch {
  readonly #work: ProjectWork;
  readonly #folder: string;
  readonly #place: WorkFolder;

  private constructor(work: ProjectWork, folder: string, place: WorkFolder) {
    this.#work = work;
    this.#folder = folder;
    this.#place = place;
  }

  /**
   * `name`: by which one that a killed run has left is found and made anew, so it is that of a run of which there is one at a
   * time. `terms`: what was signed.
   */
  static async open(
    work: ProjectWork,
    { name, commit, terms }: { name: string; commit: string; terms?: EnvelopeTerms },
  ): Promise<Scratch> {
    const { repository, world } = work;
    const folder = path.join(world.worktrees, ["wave", name, world.stream].filter(Boolean).join("-"));
    makePrivateFolder(world.worktrees);
    dropFolder(folder);
    const act = { op: "worktree" as const, words: ["add", "--detach", folder, commit], folder: repository.folder };
    await work.git.act(act, async (git) => {
      await git.run(["worktree", "prune"]);
      await git.run(["worktree", "add", "--quiet", "--force", "--force", "--detach", folder, commit]);
    });
    const ignored = await ignoredIn(repository);
    const lent = lendable(ignored);
    const { copied } = await copyable(repository, ignored);
    await furnish(repository, folder, { lent, copied });
    const place = world.openWorktree(folder, () => terms, lentTo(world.root, folder, lent));
    return new Scratch(work, folder, place);
  }

  get folder(): string {
    return this.#folder;
  }

  /** The files are those of that commit; with `onto`, the index is ahead of that one, as before it is made. */
  async at(commit: string, onto?: string): Promise<void> {
    const folder = this.#folder;
    this.#place.forget();
    await this.#work.git.act({ op: "reset", words: ["--hard", commit], folder }, async (git) => {
      await git.run(["reset", "--hard", "--quiet", commit]);
      await git.run(["clean", "-fdq"]);
      if (onto !== undefined) await git.run(["reset", "--soft", "--quiet", onto]);
    });
  }

  async run(command: string): Promise<CommandRun> {
    const run = await runCommand(this.#place, command, this.#work.signal, { mayFail: true });
    this.#work.check();
    return { ...run, output: run.output.replaceAll(`${this.#folder}/`, "") };
  }

  /** Through the gate, as a mission would. Why not, where it is refused. */
  write(file: string, text: string): Promise<string | undefined> {
    return writeFile(this.#place, path.join(this.#folder, file), text, this.#work.signal);
  }

  /** A file of commands that are run here; they find it in `$TMPDIR`. */
  async put(name: string, text: string): Promise<void> {
    const root = this.#place.temporary;
    await writeAtomic(path.join(root, name), text, { root });
  }

  async close(): Promise<void> {
    await this.#place.close();
    await removeWorktrees(this.#work, [this.#folder]);
  }
}
