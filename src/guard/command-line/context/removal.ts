// What it means that a command takes something away inside of the roots.
import { posix } from "node:path";
import type { Facts } from "../../contract/ports.ts";
import { filledByTools, mostAsked } from "../../rules/left-out.ts";
import { type Context, note } from "./context.ts";
import { globMatches } from "./glob.ts";
import { classifyPath, within } from "./sensitive.ts";

/** The session's own: what lies in its private temporary folder, and what it wrote and nobody touched since. */
export const ownWork = (real: string, facts: Facts): boolean =>
  (real !== facts.temporary && within(real, facts.temporary)) || facts.writtenBySession?.(real) === true;

/** `partial`: only the folder is known, as of a pattern. */
export function judgeRemoval(real: string, partial: boolean, at: Context): void {
  const { facts } = at.run;
  const name = posix.basename(real);
  if (!partial && ownWork(real, facts))
    note(at, "L2", "path.own-delete", `deletes ${name}, which this session made`, "delete");
  else if (!partial && holdsMany(real, facts))
    note(at, "L2", "path.delete-many", `deletes ${name}, which holds more than ${mostAsked} files`, "delete");
  else note(at, "L2", "path.delete", `deletes ${partial ? "files" : name}`, "delete");
}

/** More than a question after the command could name one by one, so it is asked before. Tools make their own folders anew. */
function holdsMany(real: string, facts: Facts): boolean {
  if (facts.path(real).kind !== "folder" || filledByTools(posix.relative(facts.workspace, real))) return false;
  return facts.below !== undefined && (facts.below(real)?.length ?? Number.POSITIVE_INFINITY) > mostAsked;
}

const guardedNames = [".git", ".fettle", ".env", ".env.local", ".npmrc", ".envrc", ".vscode", ".github", ".husky"];

/** `?*` before `/.git`, `.g*`: whatever the pattern stands for, there is more to it than ordinary files. */
export function judgeGuardedPattern(value: string, at: Context): void {
  const { facts } = at.run;
  const plain = value.replaceAll(/\[[^\]]*\]|[*?]/g, "x");
  const ordinary = at.scope.folders.every((folder) => classifyPath(posix.resolve(folder, plain), facts) === "ordinary");
  const hidden = value.split("/").some((part) => part.startsWith(".") && globMatches(part, guardedNames));
  if (!ordinary || hidden)
    note(
      at,
      "L2",
      "path.guarded-pattern",
      `the pattern ${value} covers files that are git's, hold secrets or run later`,
    );
}
