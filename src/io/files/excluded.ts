// What a repository's own `info/exclude` leaves out: no checkpoint has it, as with what `.gitignore` names.
import path from "node:path";
import ignore from "ignore";
import { regularText } from "./regular.ts";

/** `folders`: the git folders of one repository. A folder is asked about with a slash at its end. */
export function excludedBy(folders: readonly string[]): (relative: string) => boolean {
  const texts = folders.map((folder) => regularText(path.join(folder, "info/exclude")) ?? "");
  const rules = ignore({ ignorecase: false }).add(texts.flatMap((text) => text.split("\n")));
  return (relative) => rules.ignores(relative);
}
