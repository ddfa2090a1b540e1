// What git's words name: the files that it is told to read, a new branch, the subcommand that a row stands for.
import type { Row } from "../../rules/row.ts";
import { type Context, note } from "../../command-line/context/context.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { isStatic, type Text } from "../../command-line/syntax/text.ts";

export const operands = (words: readonly Text[]): Text[] => words.filter((word) => !word.value.startsWith("-"));

export function judgeNamed(verb: string, words: readonly Text[], mayName: boolean, at: Context): void {
  lineRanges(words, at);
  const named = words.some((word) => /^-[ef]/.test(word.value));
  if (words.some((word) => word.value === "--no-index"))
    filesOnly(operands(words).slice(verb === "grep" && !named ? 1 : 0), at);
  else if (mayName) revisions(words, at);
}

const filesOnly = (words: readonly Text[], at: Context): void => {
  for (const word of words) judgePath(word, "read", at);
};

/** `-L1,5:file`. */
function lineRanges(words: readonly Text[], at: Context): void {
  words.forEach((word, index) => {
    if (!/^-L/.test(word.value) && words[index - 1]?.value !== "-L") return;
    const file = /:([^:]+)$/.exec(word.value)?.[1];
    if (file) judgePath({ ...word, value: file }, "read", at);
  });
}

/** `HEAD:path` and pathspecs: what they name may be sensitive even when git reads it from its objects. */
function revisions(words: readonly Text[], at: Context): void {
  let paths = false;
  for (const [index, word] of words.entries()) {
    if (word.value === "--") paths = true;
    else if (!paths && words[index - 1]?.value === "-L") continue;
    else if (!word.value.startsWith("-")) {
      const file = /^[^:]*:(?!\()(.+)$/.exec(word.value)?.[1];
      if (file) judgePath({ ...word, value: file }, "read", { ...at });
      else if (paths || /^[./]|\/|\.[a-z]+$|^\.env|^~/i.test(word.value)) {
        if (!/\.\.\.?|[~^@]/.test(word.value) || paths || /^(\.\.?\/|~|\/)/.test(word.value))
          judgePath({ ...word, glob: word.glob || /[*?]/.test(word.value) }, "read", at);
      }
    }
  }
}

/** `git switch -c NAME`, `git checkout -b NAME`: where nothing else stands, the new branch begins at the current commit. */
export function beginsBranch([option, name, ...more]: readonly Text[], at: Context): boolean {
  const begins =
    /^(-c|-b|--create)$/.test(option?.value ?? "") &&
    isStatic(name) &&
    /^[\w][\w./-]*$/.test(name.value) &&
    more.every(({ value }) => value === "HEAD" || value === "--no-track");
  if (begins) note(at, "L1", "git.branch", "creates a branch at the current commit");
  return begins;
}

/** One row stands for many subcommands; the effect is named after the one that is meant, and is as hard to take back. */
export function nameItself(row: Row, verb: string, at: Context): void {
  if (row.undo && row.names.split(" ")[0] !== verb) at.run.findings.worsen(at.part, "vcs", verb, row.undo);
}
