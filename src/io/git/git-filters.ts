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

function filtersIn(text: string): string[] {
  const found: string[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    const [, header, rest] = /^\s*(\[[^\]]*\])?(.*)$/.exec(line) ?? [];
    if (header !== undefined) section = /^\[([A-Za-z]*)/.exec(header)?.[1]?.toLowerCase() ?? "";
    const [, key = "", value = ""] = /^\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(rest ?? "") ?? [];
    const filters = section === "filter" && /^(?:clean|smudge|process)$/i.test(key) && !known.test(value);
    const includes = /^include(?:if)?$/.test(section) && /^path$/i.test(key);
    if (filters || includes) found.push(value);
  }
  return found;
}
