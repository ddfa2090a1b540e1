// Tells before a task begins what it will probably cost, and what it may cost at most.
import { estimateTask, type TaskSize } from "../../engine/budget/estimate.ts";
import { runGit } from "../../io/git/git.ts";
import type { Arm } from "../../model/contract/arm.ts";
import { plural } from "../../tools/sizes.ts";
import type { Assembly } from "../agents/assembly.ts";

export async function tellEstimate({ session, budget }: Assembly, workspace: string, arm: Arm): Promise<void> {
  const size = await sizeOf(workspace);
  const { rounds, tokens, cost } = estimateTask(size, arm.price);
  const usually = `Estimate: in a repository of ${plural(size.files, "file")} a task usually takes ${rounds.low} to ${rounds.high} rounds`;
  const about = `${millions(tokens.low)} to ${millions(tokens.high)} tokens`;
  const paid =
    cost === null
      ? `${about}; what that costs with ${arm.name} nobody knows`
      : cost.high === 0
        ? `${about}, which cost nothing with ${arm.name}`
        : `${about}, ${dollars(cost.low)} to ${dollars(cost.high)} with ${arm.name}`;
  const left = budget.left();
  const cap =
    Number.isFinite(left) && cost?.high !== 0 ? ` It stops at ${dollars(left)}, which is what the limits leave.` : "";
  const text = `${usually}, ${paid}.${cap}`;
  session.append({ type: "notice.given", code: "task.estimate", level: "info", text });
}

const millions = (tokens: number): string =>
  tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1e6).toFixed(1)}M`;

const dollars = (micro: number): string => `$${(micro / 1e6).toFixed(2)}`;

/** Files that git knows and their bytes; of a repository without a commit nothing. */
async function sizeOf(workspace: string): Promise<TaskSize> {
  const { code, out } = await runGit(["ls-tree", "-r", "-l", "-z", "HEAD"], { cwd: workspace });
  if (code !== 0) return { files: 0, bytes: 0 };
  // MODE TYPE OBJECT SIZE<tab>PATH
  const sizes = out
    .toString("utf8")
    .split("\0")
    .filter(Boolean)
    .map((line) => Number(line.split("\t")[0]?.trim().split(/\s+/).at(-1)) || 0);
  return { files: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}
