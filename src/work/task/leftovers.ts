// What planned commands leave behind that nobody planned: databases, reports, snapshots. It is no part of the work.
import { Repository } from "./git.ts";
import { unplannedFiles } from "./scope.ts";
import type { Work } from "./work.ts";

const mostNamed = 5;

/** Files that differ from the last commit and stand in no plan are made as they were, and named to who watches. */
export async function clearLeftovers(work: Work): Promise<void> {
  const repository = new Repository(work.place.folder);
  const unplanned = new Set(await unplannedFiles(work.task));
  const open = (await repository.changed(true)).filter(({ path }) => unplanned.has(path));
  if (open.length === 0) return;
  const paths = (made: boolean) => open.filter(({ status }) => (status === "??") === made).map(({ path }) => path);
  const [made, changed] = [paths(true), paths(false)];
  if (made.length > 0) await repository.run(["clean", "-fdq", "--", ...made]);
  if (changed.length > 0) await repository.run(["checkout", "--quiet", "HEAD", "--", ...changed]);
  const named = open.slice(0, mostNamed).map(({ path }) => path);
  const others = open.length > named.length ? ` and ${open.length - named.length} more` : "";
  work.tell(`The plan's commands left this behind, and it was put away: ${named.join(", ")}${others}`);
}
