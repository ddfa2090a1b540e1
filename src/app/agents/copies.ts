// Copies of the workspace for those who work side by side: made of a checkpoint, each behind the gate of the session.
import path from "node:path";
import { readingOf } from "../../guard/fence/files.ts";
import { makeCopyFolder } from "../../io/copies/folders.ts";
import { makeRepository } from "../../io/copies/repository.ts";
import { regularText } from "../../io/files/regular.ts";
import { heldDiff, ignoredFolders, layCopy, occupied, type TreeChange, treeChanges } from "../../io/snapshot/copy.ts";
import type { Snapshots } from "../../io/snapshot/snapshots.ts";
import { copyFolder, type FolderSize, isThere, mountPoint, realFile, sizeWithin } from "../../io/folders/worktrees.ts";
import type { FileChange } from "../../protocol/action.ts";
import { buildFolders, dependencyFolders } from "../../work/task/stacks/list.ts";
import type { Common } from "./agent-parts.ts";
import type { Copies, Difference, OpenCopy } from "../session/copies/spec.ts";
import { named } from "../session/copies/possible.ts";
import type { Program } from "../program/program.ts";
import { snapshotOptions } from "../program/snapshots.ts";
import { temporaryFolder } from "../program/temporary.ts";

/** Of what builds have left, for each copy. */
const mostBuilt: FolderSize = { files: 5_000, bytes: 64 * 1024 * 1024 };
const mostOwn: FolderSize = { files: 500, bytes: 16 * 1024 * 1024 };

export function copiesOf(program: Program, common: Common): Copies {
  const options = snapshotOptions(program);
  const { facts, firewall } = common.scope.parts;
  const snapshots = async (): Promise<Snapshots> => {
    const found = await common.scope.parts.snapshots();
    if ("unavailable" in found) throw new Error(`there are no checkpoints: ${found.unavailable}`);
    return found;
  };
  const marked = (name: string, text: string): string => {
    const real = path.join(program.workspace, name);
    const redacted = firewall.redact(text, readingOf(real, facts));
    if (redacted.found.length === 0) return text;
    return "text" in firewall.restore(redacted.text, regularText(real) ?? "") ? redacted.text : text;
  };
  return {
    tree: async () => (await (await snapshots()).take()).tree,
    open: (tree) => openCopy(program, common, tree),
    diff: async (from, to) => heldDiff(options, to, await (await snapshots()).diff(from, to)),
    occupied: (paths) => occupied(program.workspace, paths),
    difference: async (from, to) => differenceOf(await treeChanges(options, from, to), marked),
  };
}

function differenceOf(found: readonly TreeChange[], marked: (name: string, text: string) => string): Difference {
  const paths = (wanted: (change: TreeChange) => boolean) => found.filter(wanted).map(({ path: name }) => name);
  const gone = paths(({ kind }) => kind === "delete");
  // A folder makes room for a file only when nothing is left in it, which is not one change after the other.
  const instead = paths(
    ({ path: name, kind }) => kind !== "delete" && gone.some((each) => each.startsWith(`${name}/`)),
  );
  const told = ({ path: name, kind }: TreeChange) =>
    kind !== "other" && !instead.some((each) => name === each || name.startsWith(`${each}/`));
  return {
    changes: found.filter(told).flatMap((change): FileChange[] => {
      const { path: name, kind } = change;
      if (kind === "write") return [{ op: "write", path: name, content: marked(name, change.text) }];
      return kind === "delete" && !change.unheld ? [{ op: "delete", path: name }] : [];
    }),
    others: paths((change) => !told(change) || (change.kind === "write" && change.mode)),
    added: paths(({ added }) => added),
    unheld: paths((change) => change.kind === "delete" && change.unheld),
  };
}

async function openCopy(program: Program, common: Common, tree: string): Promise<OpenCopy> {
  const place = makeCopyFolder(program.project.copies);
  const folder = place.workspace;
  const temporary = temporaryFolder();
  try {
    const { snapshots, forget } = await layCopy(snapshotOptions(program), tree, folder);
    const lent = await furnish(program, folder);
    const within = path.join(folder, path.relative(program.workspace, program.cwd));
    const inner: Program = { ...program, workspace: folder, cwd: isThere(within) ? within : folder };
    const scope = common.scope.inCopy({
      ...{ program: inner, temporary: temporary.path, lent },
      snapshots: () => Promise.resolve(snapshots),
    });
    common.beside?.set(folder, { ...common, program: inner, scope });
    return {
      folder,
      gate: () => scope.gate(),
      take: () => snapshots.take(),
      async close() {
        common.beside?.delete(folder);
        await scope.parts.jobs.closeAll();
        await scope.close();
        forget();
        temporary.remove();
        return place.remove();
      },
    };
  } catch (error) {
    temporary.remove();
    place.remove();
    throw error;
  }
}

/** What no checkpoint holds and work needs: a repository, fettle's own files, what was installed and built. */
async function furnish(program: Program, folder: string): Promise<{ from: string; to: string }[]> {
  const { workspace } = program;
  const both = (name: string) => ({ from: path.join(workspace, name), to: path.join(folder, name) });
  const copy = async (name: string, limit: FolderSize) => {
    const { from, to } = both(name);
    if (!isThere(from) || !isThere(path.dirname(to)) || !(await sizeWithin(from, limit))) return;
    await copyFolder(from, to, `${folder}.part`);
  };
  await copy(".fettle", mostOwn);
  const ignored = await ignoredFolders(snapshotOptions(program));
  for (const name of ignored.filter(named(buildFolders))) await copy(name, mostBuilt);
  const lent = ignored
    .filter(named(dependencyFolders))
    .map(both)
    .filter(({ to }) => isThere(path.dirname(to)));
  for (const { to } of lent) mountPoint(to);
  const { objects } = await makeRepository(workspace, folder);
  const history = objects === undefined ? undefined : realFile(objects);
  return [...lent, ...(history === undefined ? [] : [{ from: history, to: history }])];
}
