// Programs that a repository's settings make git run when it takes files in or writes them out.
import path from "node:path";
import { regularText } from "../files/regular.ts";
import { gitToplevel } from "./git.ts";
import { describeRepository } from "./repositories.ts";

/** Installed programs that run nothing of the repository. */
const known = /^"?git-(?:lfs|crypt)"? (?:(?:clean|smudge|filter-process|--skip|--|%f) ?)+$/;

/** Their commands, and files of settings that may name more; of the repository around that folder. */
export function gitFilters(folder: string): string[] {
  const top = gitToplevel(folder);
  const repository = top === undefined ? undefined : describeRepository(path.join(top, ".git"));
  const files = (repository?.folders ?? []).flatMap((each) => [`${each}/config`, `${each}/config.worktree`]);
  return [...new Set(files.flatMap((file) => filtersIn(regularText(file) ?? "")))];
}

/**
 * Sections are not followed: several may share a line, and a value may go on in the next one and look like a section. So what
 * is called as these keys are counts wherever it stands.
 */
function filtersIn(text: string): string[] {
  const includes = /\[include(?:if)?\b/i.test(text);
  return text.split("\n").flatMap((line) => {
    const [, key = "", value = ""] =
      /(?<![\w-])(clean|smudge|process|path)[ \t]*=[ \t]*(.*?)[ \t\r]*$/is.exec(line) ?? [];
    const counts = key.toLowerCase() === "path" ? includes : key !== "" && !known.test(value);
    return counts ? [value] : [];
  });
}
