// Files that a person's words about a result name: to change them is what they ask for, so it is not asked again.
import { isDefinition } from "./definitions.ts";
import { isLockfile } from "../stacks/list.ts";
import { inside } from "../machine/plan.ts";

/** Words that may say the opposite. */
const leaves =
  /\b(?:not|no|never|without|except|besides|instead|leave|keep|untouched|revert|undo|nicht|kein\w*|nie|ohne|außer|statt|lass\w*)\b|n['’]t\b/i;
const pathLike = /(?<![\w./@-])(?:\.\/)?((?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*\.\w+)(?![\w/-])/g;

/**
 * By their path, or by a name that only one file has; a new one only in a folder that is there. What says how checks run, hidden
 * files and lockfiles are asked for all the same, and so is all that a sentence names which may mean the opposite.
 */
export function wantedFiles(words: string, files: readonly string[]): string[] {
  const all = new Set(files);
  const folders = new Set(files.map((file) => file.split("/").slice(0, -1).join("/")));
  const found = words
    .split(/(?<=[.;!?])\s+|\n/)
    .filter((sentence) => !leaves.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(pathLike)].map(([, name = ""]) => name))
    .flatMap((name) => {
      if (all.has(name)) return [name];
      const same = name.includes("/") ? [] : files.filter((file) => file.endsWith(`/${name}`));
      if (same.length === 1) return same;
      return name.includes("/") && folders.has(name.split("/").slice(0, -1).join("/")) ? [name] : [];
    });
  return [...new Set(found)].filter(
    (file) =>
      inside(file) && !isDefinition(file) && !isLockfile(file) && !file.split("/").some((part) => part.startsWith(".")),
  );
}
