// What checks have come to on the same files, with nothing else beside them: the same command says the same of them again.
import { sha256 } from "../../../base/digest.ts";
import { type CommandRun, succeeded } from "../world/commands.ts";
import type { Repository } from "../world/git.ts";

export class CheckedRuns {
  #files: string | undefined;
  readonly #runs = new Map<string, CommandRun>();

  /** From here on these files are there, and nothing else. */
  begin(files: string): void {
    this.#files = files;
    this.#runs.clear();
  }

  /** Something else counts, too. */
  end(): void {
    this.#files = undefined;
  }

  /** A later run counts where it is green: what was red before it was chance. */
  add(run: CommandRun): void {
    if (this.#files === undefined || (this.#runs.has(run.command) && !succeeded(run))) return;
    this.#runs.set(run.command, run);
  }

  on(files: string, command: string): CommandRun | undefined {
    return this.#files === files ? this.#runs.get(command) : undefined;
  }
}

/** Names what is staged, which is all that differs from a commit, or the commit itself. */
export const stagedFiles = async (repository: Repository): Promise<string> =>
  sha256(await repository.run(["ls-files", "--stage", "-z"]));
