// Forms of git that write the files of a commit elsewhere: to an archive, or to a worktree in the private /tmp.
import { type Context, note } from "../../command-line/context/context.ts";
import { classifyPath } from "../../command-line/context/sensitive.ts";
import { isStatic, Origin, type Text, unknown } from "../../command-line/syntax/text.ts";
import { type Form, has } from "./form.ts";

/** Printed: the caller says where to. Options that name files or formats, which may be programs, are left to the row. */
export const archive: Form = (words, at) => {
  if (has(words, /^--(remote|exec)/)) note(at, "L3", "git.run", "asks another host to run a program", "exfiltrate");
  const [commit, ...files] = words.filter(
    ({ value }) => !/^(?:--format=(?:tar|zip)|--prefix=[\w./-]+|-\d)$/.test(value),
  );
  const plain = [commit, ...files].every((word) => isPlain(word) && /^[\w.][^:]*$/.test(word.value));
  return plain && commit && writesOrdinary(commit.value, at) ? unknown(Origin.file) : undefined;
};

/** `git worktree add /tmp/NAME COMMIT`, without a branch, and what takes it away again. */
export const worktree: Form = ([verb, ...words], at) => {
  if (verb?.value === "list") return unknown(Origin.file);
  // With --force a record is overwritten, which may be of a worktree that only the person sees.
  const options = verb?.value === "remove" ? /^(?:-f|--force)$/ : /^(?:-q|--quiet|-d|--detach)$/;
  const [folder, commit, ...more] = words.filter(({ value }) => !options.test(value));
  if (!isPlain(folder) || more.length > 0 || !inScratch(folder, at)) return undefined;
  const { facts } = at.run;
  const made = facts.path(`${folder.value}/.git`).kind === "file";
  if (verb?.value === "remove" && !commit && made) {
    note(at, "L1", "git.worktree", "removes a worktree in the private /tmp");
    return unknown();
  }
  const detached =
    has(words, /^(?:-d|--detach)$/) ||
    /^(?:HEAD(?:[~^]\d*)*|[0-9a-f]{7,40}|v?\d+(?:\.\d+)+)$/.test(commit?.value ?? "");
  const named = commit === undefined || isPlain(commit);
  if (verb?.value !== "add" || !detached || !named || !writesOrdinary(commit?.value ?? "HEAD", at)) return undefined;
  note(at, "L1", "git.worktree", "makes a worktree in the private /tmp");
  return unknown();
};

const isPlain = (word: Text | undefined): word is Text =>
  isStatic(word) && !word.glob && !word.doubtful && !word.value.startsWith("-");

/** Written out, because git also finds a worktree by the end of its path; and not where the machine has something itself. */
const inScratch = ({ value }: Text, at: Context): boolean => {
  const { facts } = at.run;
  const plain = /^\/tmp((?:\/[\w-][\w.-]*)+)$/.exec(value)?.[1];
  const { real } = facts.path(value);
  return plain !== undefined && real === `${facts.temporary}${plain}` && facts.onMachine?.(value) === false;
};

/** Nothing of the commit may hold secrets, which are out of sight only in the workspace. */
export function writesOrdinary(commit: string, at: Context): boolean {
  const { facts, findings } = at.run;
  const [folder, ...others] = at.scope.folders;
  if (folder !== facts.workspace || others.length > 0 || !/^[\w@^~./-]+$/.test(commit)) return false;
  const names = facts.commitNames?.(commit);
  const hidden = (name: string) => /^(?:env|secret)$/.test(classifyPath(`${facts.workspace}/${name}`, facts));
  if (!names || names.some(hidden)) return false;
  findings.tags.add("reads-sensitive-mask");
  return true;
}
