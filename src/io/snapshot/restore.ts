import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { FileProblem, fileProblem } from "../files/problem.ts";
import { leftOutOf } from "./left-out.ts";
import { parseRaw, type RawChange } from "./patch.ts";
import { Obstacle, place, remove } from "./placing.ts";
import { isBelow, isControl, listed, type RawPath, rawBytes, shown } from "./raw-path.ts";
import type { Shadow } from "./shadow.ts";

/** Paths that `now` has and `tree` has not, but which `tree` says nothing about: left out then, or ignored then. */
export async function unknownTo(shadow: Shadow, tree: string, changes: readonly RawChange[]): Promise<Set<RawPath>> {
  const missing = changes.filter((each) => each.status === "D").map((each) => each.path);
  const leftOut = leftOutOf(shadow.gitDir, tree);
  const unknown = new Set(missing.filter((each) => isBelow(each, leftOut)));
  const rulesDiffer = changes.some((each) => path.posix.basename(each.path) === ".gitignore");
  if (rulesDiffer && missing.length > 0) {
    for (const each of await ignoredBy(shadow, tree, missing)) unknown.add(each);
  }
  return unknown;
}

/** What stands between `now` (the files) and `tree`, as changes that lead to `tree`. */
export async function changesTo(shadow: Shadow, now: string, tree: string): Promise<RawChange[]> {
  return parseRaw(await shadow.git(["diff-tree", "-r", "-z", "--raw", "--no-renames", now, tree]));
}

export async function restorePaths(
  shadow: Shadow,
  now: string,
  tree: string,
  paths: readonly string[] | "all",
): Promise<string[]> {
  const changes = await changesTo(shadow, now, tree);
  const unknown = await unknownTo(shadow, tree, changes);
  const wanted = paths === "all" ? undefined : new Set(paths.map((each) => relative(shadow.workspace, each)));
  const chosen = changes.filter(
    (each) => !isControl(each.path) && !unknown.has(each.path) && (!wanted || isBelow(shown(each.path), wanted)),
  );
  const obstacles: string[] = [];
  const restored: string[] = [];
  const attempt = (raw: RawPath, body: () => void) => {
    try {
      body();
      restored.push(shown(raw));
    } catch (error) {
      obstacles.push(obstacleOf(error, shown(raw)));
    }
  };
  // Deletions first: a file may stand where the tree has a folder.
  for (const { path: raw } of chosen.filter((each) => each.status === "D").reverse()) {
    attempt(raw, () => remove(shadow.workspace, raw));
  }
  const writes = chosen.filter((each) => each.status !== "D");
  for (let at = 0; at < writes.length; at += batchSize) {
    const batch = writes.slice(at, at + batchSize);
    const contents = await blobs(shadow, batch);
    for (const [index, { path: raw, mode }] of batch.entries()) {
      attempt(raw, () => place(shadow.workspace, raw, mode, contents[index] ?? Buffer.alloc(0)));
    }
  }
  if (obstacles.length > 0) throw partly(restored.length, obstacles);
  return restored.sort();
}

const batchSize = 200;

export interface EarlierFile {
  path: string;
  /** Undefined where there was nothing. Of a link: its target. `mode` as git names it. */
  was?: { mode: string; content: Buffer };
}

/** What `from` has at each path where `to` has something else. */
export async function earlierFiles(shadow: Shadow, from: string, to: string): Promise<EarlierFile[]> {
  const changes = (await changesTo(shadow, to, from)).filter((each) => !isControl(each.path));
  const found: EarlierFile[] = changes.flatMap(({ path: raw, status }) =>
    status === "D" ? [{ path: shown(raw) }] : [],
  );
  const there = changes.filter(({ status }) => status !== "D");
  for (let at = 0; at < there.length; at += batchSize) {
    const batch = there.slice(at, at + batchSize);
    const contents = await blobs(shadow, batch);
    for (const [index, { path: raw, mode }] of batch.entries())
      found.push({ path: shown(raw), was: { mode, content: contents[index] ?? Buffer.alloc(0) } });
  }
  return found;
}

export function obstacleOf(error: unknown, name: string): string {
  if (error instanceof Obstacle) return `${name}: ${error.message}`;
  const problem = fileProblem(error, name);
  if (problem instanceof FileProblem) return problem.message.replace(/\.$/, "");
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `${name}: ${code}`;
}

export function partly(restored: number, obstacles: string[]): Fault {
  const first = obstacles.slice(0, 3).join("; ");
  const more = obstacles.length > 3 ? `, and ${obstacles.length - 3} more` : "";
  return new Fault(
    "restore.partial",
    Exit.failed,
    `${restored} ${restored === 1 ? "file was" : "files were"} restored, ${obstacles.length} could not be: ${first}${more}.`,
    "Move away what is in the way, then repeat.",
  );
}

function relative(workspace: string, given: string): string {
  return path.relative(workspace, path.resolve(workspace, given)).split(path.sep).join("/");
}

/** Contents of the changes' objects, in order. */
export async function blobs(shadow: Shadow, changes: readonly { object: string }[]): Promise<Buffer[]> {
  const out = await shadow.git(["cat-file", "--batch"], { input: changes.map((each) => `${each.object}\n`).join("") });
  const contents: Buffer[] = [];
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(10, at);
    const [object = "", type, size = ""] = out.toString("latin1", at, end).split(" ");
    if (type !== "blob") {
      throw new Fault(
        "snapshot.failed",
        Exit.failed,
        `The checkpoint is damaged: object ${object} is missing.`,
        "Rewind to another turn: its checkpoint may be whole.",
      );
    }
    const from = end + 1;
    contents.push(out.subarray(from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return contents;
}

/** Which of `paths` the .gitignore files of `tree` ignore; these files are laid out in an empty folder for git. */
async function ignoredBy(shadow: Shadow, tree: string, paths: readonly RawPath[]): Promise<RawPath[]> {
  const all = parseRaw(await shadow.git(["diff-tree", "-r", "-z", "--raw", "--no-renames", emptyTree, tree]));
  const rules = all.filter((each) => path.posix.basename(each.path) === ".gitignore" && each.mode !== "120000");
  const contents = rules.length > 0 ? await blobs(shadow, rules) : [];
  return shadow.withTemporaryFolder(async (folder) => {
    for (const [index, { path: raw }] of rules.entries())
      place(folder, raw, "100644", contents[index] ?? Buffer.alloc(0));
    const input = Buffer.concat(paths.map((each) => rawBytes(`${each}\0`)));
    const { code, out } = await shadow.tryGit(["check-ignore", "--no-index", "-z", "--stdin"], {
      cwd: folder,
      workTree: folder,
      input,
    });
    return code === 0 ? listed(out) : [];
  });
}

/** git knows this tree without having it. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
