// What became of the last wave of a branch, named by a reference that moves in one transaction with the branch. Whoever begins
// again after a kill is told from it what was done and why plans were left out.
import { z } from "zod";
import { sha256 } from "../../../base/digest.ts";
import { jsonOf } from "../../../base/json-text.ts";
import type { WaveGit } from "./trees.ts";

const id = z.string();
const leftOut = z.union([
  z.object({ id, why: z.enum(["conflict", "deletes"]), files: z.array(z.string()) }),
  z.object({ id, why: z.enum(["base", "checks"]), text: z.string() }),
]);
const waveRecord = z.object({
  base: z.string(),
  commit: z.string(),
  /** All plans of the wave with their commits, taken or not. */
  plans: z.array(z.object({ id, commit: z.string() })),
  taken: z.array(id),
  left: z.array(leftOut),
});

export type LeftOut = z.infer<typeof leftOut>;
type WaveRecord = z.infer<typeof waveRecord>;

/** One for each branch, so that they do not pile up. Its name says nothing that could collide with another branch. */
export const recordReference = (branch: string): string => `refs/fettle/waves/${sha256(branch).slice(0, 16)}`;

export const storedRecord = async ({ git }: WaveGit, record: WaveRecord): Promise<string> =>
  (await git.run(["hash-object", "-w", "--stdin"], { input: JSON.stringify(record) })).trim();

export async function recordOf({ git }: WaveGit, branch: string): Promise<WaveRecord | undefined> {
  const { code, out } = await git.exit(["cat-file", "blob", recordReference(branch)]);
  if (code !== 0) return undefined;
  return waveRecord.safeParse(jsonOf(out.toString("utf8"))).data;
}
