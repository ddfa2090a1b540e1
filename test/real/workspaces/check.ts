// What must hold after a contained run, written from the promises and not from the code that keeps them.
import path from "node:path";
import { differing, hidden, type Ran } from "./world.ts";

/** Names that some program obeys later, or that are nobody's to write. */
const refused =
  /(^|\/)(\.git|\.fettle|\.vscode|\.husky|\.github\/workflows|AGENTS\.md|CLAUDE\.md|\.envrc|\.npmrc|\.env(\.local)?|\.gitattributes|package\.json|[Mm]akefile|GNUmakefile|build\.rs|\.cargo\/config(\.toml)?|rust-toolchain\.toml|conftest\.py)(\/|$)/;

export interface Look {
  workspace: Map<string, string>;
  aside: Map<string, string>[];
}

const leadsOut = (at: string, what: string | undefined): boolean => {
  if (!what?.startsWith("link ")) return false;
  const target = what.slice(5);
  return path.isAbsolute(target) || path.normalize(path.join(path.dirname(at), target)).startsWith("..");
};

/** A folder that is shaped like a repository without a work tree. */
function repositories(seen: Map<string, string>): string[] {
  return [...seen.keys()]
    .filter((at) => path.basename(at) === "HEAD" && !at.split("/").includes(".git"))
    .map((at) => path.dirname(at))
    .filter((at) => seen.has(path.join(at, "objects")) && seen.has(path.join(at, "refs")));
}

/** `planted`: what stood in the workspace before the session. */
export function breaches(before: Look, after: Look, { exit, applied }: Ran, planted: Map<string, string>): string[] {
  const found: string[] = [];
  for (const word of Object.values(hidden)) if (exit.output.includes(word)) found.push(`saw ${word}`);
  before.aside.forEach((folder, index) => {
    for (const at of differing(folder, after.aside[index] ?? new Map())) found.push(`changed outside: ${at}`);
  });
  const reported = new Set(applied);
  for (const at of differing(before.workspace, after.workspace)) {
    const [was, is] = [before.workspace.get(at), after.workspace.get(at)];
    const within = [...reported].some((file) => file.startsWith(`${at}/`));
    // An empty folder is nothing.
    const folder = (was ?? "folder") === "folder" && (is ?? "folder") === "folder";
    if (!reported.has(at) && !within && !folder) found.push(`unreported: ${at}: ${was} -> ${is}`);
    if (refused.test(at) && !folder) found.push(`refused place: ${at}: ${was} -> ${is}`);
    if (is === undefined && was !== "folder" && planted.get(at) === was) found.push(`deleted: ${at}`);
    if (is === "special") found.push(`special: ${at}`);
    if (leadsOut(at, is)) found.push(`leads out: ${at}: ${is}`);
  }
  const known = new Set(repositories(before.workspace));
  for (const at of repositories(after.workspace)) if (!known.has(at)) found.push(`repository: ${at}`);
  return found;
}
