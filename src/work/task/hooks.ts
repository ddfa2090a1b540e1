// The repository's own commit hooks, run as what they are: programs, in the sandbox, that the plan lists.
import path from "node:path";
import { isProgram } from "../../io/worktrees.ts";
import type { Repository } from "./git.ts";
import { quoted } from "./stacks/profile.ts";

/** Shell lines of the hooks that look at a commit before it is made. */
export async function commitHooks(repository: Repository): Promise<string[]> {
  const folder = (await repository.line("rev-parse", "--path-format=absolute", "--git-common-dir")) ?? "";
  const configured = await repository.line("config", "--file", path.join(folder, "config"), "--get", "core.hooksPath");
  const named = configured === undefined ? path.join(folder, "hooks") : configured;
  const hook = path.join(path.isAbsolute(named) ? named : path.join(repository.folder, named), "pre-commit");
  if (!isProgram(hook)) return [];
  // One of the project's own files is run as it is in the worktree.
  const inside = path.relative(repository.folder, hook);
  const own = !inside.startsWith("..") && !inside.startsWith(".git/");
  return [own ? `./${quoted(inside)}` : quoted(hook)];
}
