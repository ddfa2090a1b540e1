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

  /** What was red once on these files is not called green because a later run of them was: whoever asks looks again. */
  add(run: CommandRun): void {
    const known = this.#runs.get(run.command);
    if (this.#files === undefined || (known && !succeeded(known))) return;
    this.#runs.set(run.command, run);
  }

  on(files: string, command: string): CommandRun | undefined {
    return this.#files === files ? this.#runs.get(command) : undefined;
  }
}

/** Names what is staged, which is all that differs from a commit, or the commit itself. */
export const stagedFiles = async (repository: Repository): Promise<string> =>
  sha256(await repository.run(["ls-files", "--stage", "-z"]));
