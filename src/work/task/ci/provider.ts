// Whoever says whether a project's CI passes: for exactly one commit, by its newest runs.
import type { CiResult } from "../../../protocol/task.ts";
import type { Work } from "../work/work.ts";

export interface CiProvider {
  readonly name: string;
  /** Runs or waits for it. */
  resultOf(work: Work, commit: string): Promise<CiResult>;
  /** Why a success that it told of no longer counts; undefined while it does. */
  overtaken(work: Work, result: CiResult): Promise<string | undefined>;
}
