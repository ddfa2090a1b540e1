// git commands that put away, take back or bring back nothing but what the session itself changed.
import { posix } from "node:path";
import type { GitWork } from "../../contract/ports.ts";
import { type Context, note } from "../../command-line/context/context.ts";
import { places } from "../../command-line/context/paths.ts";
import { otherRepository } from "../../command-line/context/repositories.ts";
import { classifyPath, within } from "../../command-line/context/sensitive.ts";
import { isStatic, literal, type Text } from "../../command-line/syntax/text.ts";

/** True: the command touches only what the session itself changed, and was judged here as L1. False: judge it as git. */
export function judgeOwnWork(verb: string, words: readonly Text[], at: Context): boolean {
  const { facts } = at.run;
  const [folder, ...elsewhere] = at.scope.folders;
  if (folder === undefined || elsewhere.length > 0 || !untouched(at)) return false;
  if (!within(folder, facts.workspace) || otherRepository(folder, facts) !== undefined) return false;
  if (!words.every((word) => isStatic(word) && !word.glob && !word.doubtful)) return false;
  const work = workOf(
    verb,
    words.map(({ value }) => value),
  );
  const files = work && filesOf(work.files, at);
  if (!files || !facts.concernsOwnWork) return false;
  if (!facts.concernsOwnWork({ ...work, files })) {
    note(at, "L2", "git.others-work", others[work.act], "git-write");
    return false;
  }
  note(at, "L1", ownWorkCode, texts[work.act]);
  return true;
}

const texts: Readonly<Record<GitWork["act"], string>> = {
  restore: "takes back what only this session changed",
  stash: "puts away what only this session changed",
  pop: "brings back what this session put away",
};

/**
 * The record and git are asked once, before the whole call runs. So this is the first command of it that does anything, runs
 * once and at once: what ran before it could change what it takes, and while it waits the person may work on.
 */
const untouched = ({ run, part, scope, depth, beside }: Context): boolean =>
  depth <= 1 &&
  scope.certain &&
  scope.calls.length === 0 &&
  !beside &&
  run.written.size === 0 &&
  !run.findings.tags.has("background") &&
  [...run.findings.parts].every(([text, reasons]) =>
    text === part || text === "" ? reasons.every(({ code }) => code !== ownWorkCode) : instant.test(text),
  );

const others: Readonly<Record<GitWork["act"], string>> = {
  restore: "may take back changes that this session did not make",
  stash: "may put away changes that this session did not make",
  pop: "may bring back what this session did not put away",
};

export const ownWorkCode = "git.own-work";
/** Changes nothing that git works on, and waits for nothing. */
const instant = /^(?:cd|echo|printf|pwd|true|:|git (?:status|rev-parse|branch --show-current))(?=\s|$)[^<>|&;`$()]*$/;

/** Undefined: another form, or an option that says more. */
function workOf(verb: string, words: readonly string[]): GitWork | undefined {
  if (verb === "restore") return restoreOf(words, /^(?:-W|--worktree|-q|--quiet)$/);
  if (verb === "checkout") {
    const [first, ...rest] = words[0] === "HEAD" ? words.slice(1) : words;
    const from = words[0] === "HEAD" ? { from: "HEAD" as const } : {};
    // Without `--` the word may be a branch.
    if (first === "--") return { ...from, act: "restore", files: rest };
    return words[0] !== "HEAD" && first !== undefined ? restoreOf(words, /^(?:-q|--quiet)$/) : undefined;
  }
  if (verb !== "stash") return undefined;
  const [act = "push", ...rest] = words;
  if (act === "pop" || act === "apply") {
    const plain = rest.every((word) => /^(?:-q|--quiet|--index|stash@\{0\}|0)$/.test(word));
    return plain ? { act: "pop", files: [] } : undefined;
  }
  return stashOf(act === "push" || act === "save" ? rest : words, act === "push");
}

function restoreOf(words: readonly string[], known: RegExp): GitWork | undefined {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const options = before.filter((word) => word.startsWith("-"));
  const files = [...before.filter((word) => !word.startsWith("-")), ...(end < 0 ? [] : words.slice(end + 1))];
  return options.every((word) => known.test(word)) && files.length > 0 ? { act: "restore", files } : undefined;
}

/** `pushed`: `git stash push FILE`, where a plain word is a file; to `save` it is a message. */
function stashOf(words: readonly string[], pushed: boolean): GitWork | undefined {
  let untracked = false;
  const files: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-m" || word === "--message") index++;
    else if (word === "-u" || word === "--include-untracked") untracked = true;
    else if (word === "--") {
      files.push(...words.slice(index + 1));
      break;
    } else if (pushed && !word.startsWith("-")) files.push(word);
    else if (!/^(?:-q|--quiet|--message=.*)$/.test(word)) return undefined;
  }
  return { act: "stash", files, untracked };
}

/** Relative to the workspace; undefined where one is no ordinary file or folder of it. */
function filesOf(words: readonly string[], at: Context): string[] | undefined {
  const { facts } = at.run;
  const found: string[] = [];
  for (const value of words) {
    const [place, ...more] = /^:|[*?[\\]/.test(value) ? [] : places(literal(value), at);
    if (!place || more.length > 0) return undefined;
    const { real, kind } = facts.path(place.absolute);
    const plain = kind !== "other" && within(real, facts.workspace);
    if (!plain || real !== place.absolute || !/^(?:ordinary|run-later)$/.test(classifyPath(real, facts)))
      return undefined;
    found.push(posix.relative(facts.workspace, real));
  }
  return found;
}
