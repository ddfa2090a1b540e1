import { posix } from "node:path";
import type { TaskRecord } from "../../../protocol/task.ts";
import { Repository } from "../world/git.ts";

/** What of the commit is no plain file any more, or runs where it did not; undefined when nothing is. */
export async function changedModes({ worktree, envelope, intent }: TaskRecord): Promise<string | undefined> {
  if (!worktree || !envelope) return undefined;
  const repository = new Repository(worktree.folder);
  for (const { path, before, after } of await repository.differing(envelope.base.commit)) {
    if (before !== "000000" && after !== "000000" && before !== after) return `${path} changed its mode`;
    if (before === "000000" && after === "160000") return `${path} is another repository`;
    const leads = after === "120000" ? await repository.text("HEAD", path) : undefined;
    if (leads !== undefined && leadsOut(path, leads)) return `${path} is a link that leads out of the repository`;
    if (!intent?.docsOnly) continue;
    if (after === "100755" || after === "120000") return `${path} is no plain document`;
    if ((await repository.text("HEAD", path))?.startsWith("#!")) return `${path} is a script`;
  }
  return undefined;
}

const leadsOut = (link: string, to: string): boolean =>
  posix.isAbsolute(to) || posix.normalize(posix.join(posix.dirname(link), to)).split("/")[0] === "..";
