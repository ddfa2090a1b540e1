// The project's own CI, as far as it can be asked here: a script that says yes or no for exactly this head.
import { endText, succeeded } from "../world/commands.ts";
import type { Work } from "../work/work.ts";
import type { CiProvider } from "./provider.ts";

export function ciCommand({ task, world }: Pick<Work, "task" | "world">): string {
  const { ci, ciCommand: command } = world.settings;
  if (ci === "none" || ci === "github") return "";
  return command || (task.map?.ci.includes(".ci/run") ? "sh .ci/run" : "");
}

/** Its runs are numbered by the task. */
export const localCi = (command: string): CiProvider => ({
  name: "local",
  async resultOf(work, commit) {
    const count = (work.task.ci?.run ?? 0) + 1;
    const run = await work.run(command);
    const ok = succeeded(run);
    return {
      ...{ provider: "local", commit, status: ok ? "success" : "failure", run: count },
      ...(!ok && { text: [`${command}: ${endText(run)}`, ...run.output.trim().split("\n").slice(-12)].join("\n") }),
    };
  },
  overtaken: async () => undefined,
});
