// What planned commands leave behind that nobody planned: databases, reports, snapshots. It is no part of the work.
import path from "node:path";
import { dropFolder } from "../../../io/folders/worktrees.ts";
import { opened } from "../machine/envelope.ts";
import { Repository } from "../world/git.ts";
import { unplannedFiles } from "../machine/scope.ts";
import { buildFolders } from "../stacks/list.ts";
import type { Work } from "../work/work.ts";

const mostNamed = 5;

/** Files that differ from the last commit and stand in no plan are made as they were, and named to who watches. */
export async function clearLeftovers(work: Work): Promise<void> {
  const repository = new Repository(work.place.folder);
  const changed = await repository.changed(true);
  const unplanned = new Set(await unplannedFiles(work.task, changed));
  const open = changed.filter(({ path }) => unplanned.has(path));
  if (open.length === 0) return;
  const paths = (made: boolean) => open.filter(({ status }) => (status === "??") === made).map(({ path }) => path);
  const [made, spoilt] = [paths(true), paths(false)];
  await work.git.act({ op: "reset", words: ["--", ...made, ...spoilt], folder: repository.folder }, async (git) => {
    if (made.length > 0) await git.run(["clean", "-fdq", "--", ...made]);
    if (spoilt.length > 0) await git.run(["checkout", "--quiet", "HEAD", "--", ...spoilt]);
  });
  const named = open.slice(0, mostNamed).map(({ path }) => path);
  const others = open.length > named.length ? ` and ${open.length - named.length} more` : "";
  work.tell(`The plan's commands left this behind, and it was put away: ${named.join(", ")}${others}`);
}

/** Python would take these for what a source says, without a look at it. */
const compiled = /(?:^|\/)__pycache__\/?$|\.pyc$/;

/**
 * What runs there is ended, and what no commit holds goes, ignored or not, so that a check says something of the commit
 * alone. What was lent, copied, built or installed stays: making it anew is what takes long.
 */
export async function onlyTheCommit(work: Work): Promise<void> {
  const { plan, lent, copied } = opened(work.frozen);
  const { folder } = work.place;
  await work.closePlace();
  const list = await new Repository(folder).run(["ls-files", "--others", "--directory", "-z"]);
  const entries = list.split("\0").filter(Boolean);
  const given = [...lent, ...copied];
  const kept = (entry: string) =>
    plan.commands.install !== undefined ||
    given.some((name) => `${name}/`.startsWith(entry) || entry.startsWith(`${name}/`)) ||
    entry.split("/").some((part) => buildFolders.includes(part));
  for (const entry of entries) if (compiled.test(entry) || !kept(entry)) dropFolder(path.join(folder, entry));
}
