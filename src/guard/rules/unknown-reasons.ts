// Reasons for a question that say only that something is not known beforehand. Data, by the code of the reason: what is
// not listed here was known, and is asked as before.

/**
 * `code`: a program, a script or a word is run that nobody has looked through. `writes`: files are written whose names are
 * not known. `own`: what the session itself wrote is deleted, renamed or replaced.
 */
export type UnknownKind = "code" | "writes" | "own";

const codes: Readonly<Record<UnknownKind, string>> = {
  code:
    "program.unknown program.unknown-program program.unknown-option program.operand program.option program.inspects " +
    "program.not-system program.missing program.obeys program.interpreter program.one-liner program.script program.module " +
    "program.signal git.scratch package.script check.changed check.contained awk.dynamic awk.file awk.include awk.unparseable sed.dynamic sed.file " +
    "sed.unparseable shell.dynamic-command shell.dynamic-option shell.dynamic-name shell.number shell.name-reference shell.expanded-twice " +
    "shell.variable shell.option shell.recursion shell.completion shell.braces path.dynamic path.unknown-folder",
  writes: "path.unknown-writes program.overwrite path.archive path.plain-mode",
  own: "path.own-delete path.own-move path.own-overwrite",
};

const kinds = new Map(
  (Object.keys(codes) as UnknownKind[]).flatMap((kind) => codes[kind].split(" ").map((code) => [code, kind] as const)),
);

/** Undefined: the reason is something that is known of the call. */
export const unknownKind = (code: string): UnknownKind | undefined => kinds.get(code);

/**
 * Files inside of the roots are deleted or moved away by name. On a layer that changes nothing yet: what was there before
 * the session waits for an answer when the command has ended.
 */
export const removals: ReadonlySet<string> = new Set(["path.delete", "path.dynamic-delete", "path.move"]);

/** Facts that stand beside unknown code without saying that it does anything known. */
export const silentTags: ReadonlySet<string> = new Set([
  ...["process", "unknown-program", "unknown-option", "interpreter", "dynamic", "declared-check", "declared-build"],
  ...["reads-sensitive-mask", "checkpointable", "git-alone", "background"],
]);

/** Tags that need one of these reasons beside them: without it nobody knows what raised them. */
export const explainedTags: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "overwrite",
    [
      "path.unknown-writes",
      "program.overwrite",
      "path.archive",
      "path.plain-mode",
      "path.own-overwrite",
      "path.move",
      "path.own-move",
    ],
  ],
  // Out of archives, patches and copied folders: the sorting keeps what others run or obey out of the workspace.
  ["unknown-writes", ["path.unknown-writes"]],
  ["delete", ["path.own-delete", "path.delete", "path.dynamic-delete"]],
  ["move", ["path.own-move", "path.move"]],
  ["run-later", ["check.changed"]],
  // In the sandbox there are no other processes than its own.
  ["signal", ["program.signal"]],
  ["environment", ["shell.variable", "shell.option"]],
]);

/** Words by which a program that nobody looked through says itself that it publishes or installs. */
const acting =
  /^(?:[\w@-]+[:.])?(?:un)?(?:publish|deploy|release|upload|install|push|login|logout)(?=$|[A-Z:._-])[\w:.-]*$/;
const actingName = /(?:^|[-_])(?:publish|deploy|release|uploader?|installer?)(?:[-_]|$)/i;

/** It looks whether that could be done, or was. */
const looks = /^(?:check|lint|validate|verify)[-_]/i;
/** Options that take no value, with any program: the word behind one is its own. */
const alone = /^--(?:no-[\w-]+|verbose|quiet|silent|yes|force|debug|dry-run|all|ci|prod|production)$/;
/** The value of a long option says how, not what, unless the option names what is run: `--profile release-wasi`. */
const isValue = (words: readonly string[], at: number): boolean =>
  !alone.test(words[at - 1] ?? "") &&
  /^--(?!run|script|task|exec|command|target)[\w-]+$/.test(words[at - 1] ?? "") &&
  /[.:_-]/.test(words[at] ?? "");

/** Whether a command's own words, its name among them, say what a layer does not make good. */
export function saysThatItActs(name: string, words: readonly string[]): boolean {
  const base = (word: string): string => (word.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const acts = (word: string): boolean => actingName.test(base(word)) && !looks.test(base(word));
  const said = words.filter((word, at) => !word.startsWith("-") && !isValue(words, at));
  const [first] = said;
  return (
    acts(name) || said.some((word) => acting.test(word)) || (first !== undefined && /\.\w+$/.test(first) && acts(first))
  );
}
