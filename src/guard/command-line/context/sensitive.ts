import type { Facts } from "../../contract/ports.ts";
import { environmentFiles, inTable, secretFiles, systemReadable } from "../../rules/paths.ts";
import { namesGit, plainPath } from "../../rules/plain-path.ts";
import { runsLater } from "../../rules/run-later.ts";

type PathClass = "ordinary" | "env" | "secret" | "state" | "git-control" | "run-later";

/** A sentence as a person and a model read it: the private temporary folder is /tmp to them and their commands. */
export const shownTmp = (text: string, { temporary, privateTmp }: Pick<Facts, "temporary" | "privateTmp">): string =>
  privateTmp === true ? text.replaceAll(temporary, "/tmp") : text;

/** True when `path` is `folder` or below it; both absolute and normalised. */
export const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/**
 * Source files below plain folders: no table of secrets knows such a name, and asking the tables for the first time
 * takes longer than all else that a first call waits for.
 */
export const plainSource =
  /^(?!(?:.*\/)?(?:library|appdata)\/)(?!(?:.*\/)?(?:id|local)_)(?:[\w-]+\/)*(?:[\w-]+(?:\.[\w-]+)*\.(?:[mc]?[jt]sx?|css|html|md|go|rs|java|c|h|cc|cpp|py|vue|svelte|svg|png)|package(?:-lock)?\.json|tsconfig\.json|\.gitignore|\.editorconfig)$/i;

type Places = Pick<Facts, "workspace" | "home" | "temporary" | "own">;

/** What a real path is, whatever is done with it. Secrets come first: they are secret in any folder. */
export function classifyPath(real: string, facts: Places): PathClass {
  const guarded = guardedPath(real, facts);
  if (guarded !== undefined) return guarded;
  if (!within(real, facts.workspace)) return "ordinary";
  const relative = real.slice(facts.workspace.length + 1);
  return runsLater(relative) ? "run-later" : "ordinary";
}

/** Whether it is a file for secrets or settings, by its name. */
export function holdsSecrets(real: string, facts: Places): boolean {
  const guarded = guardedPath(real, facts);
  return guarded === "env" || guarded === "secret";
}

function guardedPath(real: string, facts: Places): Exclude<PathClass, "ordinary" | "run-later"> | undefined {
  const inside = within(real, facts.workspace);
  const relative = inside ? real.slice(facts.workspace.length + 1) : real;
  if (
    facts.own.some((folder) => within(real, folder)) &&
    !(inside && facts.own.some((o) => within(facts.workspace, o)))
  )
    return "state";
  const parts = plainPath(relative).split("/");
  if (parts.some((part) => /^\.fettle$|^fettle~\d+$/.test(part))) return "state";
  const plain = inside && plainSource.test(relative);
  if (!plain && inTable(secretFiles, inside ? `/${relative}` : real)) return "secret";
  if (parts.some(namesGit)) return "git-control";
  // What fettle tells every git of a process: whoever writes it makes the next git run anything.
  if (/^\/\.git(config|attributes)$/i.test(real.slice(facts.temporary.length)) && within(real, facts.temporary))
    return "git-control";
  if (!plain && inTable(environmentFiles, relative)) return inside ? "env" : "secret";
  return undefined;
}

export const systemFile = (real: string): boolean => inTable(systemReadable, real);
