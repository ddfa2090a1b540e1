// fettle's own files and git's, which git is told to write, to take back or to put away.
import { type Context, note } from "../../command-line/context/context.ts";
import { globSource } from "../../command-line/context/glob.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { classifyPath } from "../../command-line/context/sensitive.ts";
import { namesGit, plainPath } from "../../rules/plain-path.ts";
import type { Text } from "../../command-line/syntax/text.ts";
import { judgePatches, textsOf, unknownWrites } from "../telltales/brought-files.ts";
import { operands } from "./paths.ts";

/** Subcommands that write what their operands name. */
const writers = new Set(
  (
    "checkout switch restore stash mv rm clean checkout-index read-tree worktree submodule init clone subtree bundle " +
    "sparse-checkout difftool mergetool"
  ).split(" "),
);
const lookers = /^(list|show|status|summary|verify|list-heads)$/;

export function judgeControlled(verb: string, words: readonly Text[], at: Context): void {
  const writes = writers.has(verb) && !lookers.test(words[0]?.value ?? "");
  for (const word of [...(writes ? operands(words) : []), ...named(words)]) judgeSpec(word, at);
  judgeBroughtByGit(verb, words, at);
  if (verb !== "apply" && verb !== "am") return;
  const texts = operands(words).flatMap((word) => textsOf(word, at));
  for (const text of [...texts, at.scope.stdin.text]) if (text !== undefined) judgePatch(text, at);
}

/** Values of the options that name where something is written. */
const named = (words: readonly Text[]): Text[] =>
  words.flatMap((word, index) => {
    const joined = /^(?:--(?:output|output-directory|directory|prefix|work-tree)=|-o(?=.))(.+)$/.exec(word.value)?.[1];
    if (joined !== undefined) return [{ ...word, value: joined }];
    const next = words[index + 1];
    return next && /^(-o|--output|--output-directory|--directory)$/.test(word.value) ? [next] : [];
  });

/** A pathspec: magic words may anchor it at the top, or make it leave things out. */
function judgeSpec(word: Text, at: Context): void {
  const [, magic = "", rest = word.value] = /^:(\([^)]*\)|[/!^]+)(.*)$/.exec(word.value) ?? [];
  if (/[!^]|exclude/.test(magic)) return;
  const top = /\/|top/.test(magic);
  const { facts } = at.run;
  const path = { ...word, value: top ? `${facts.workspace}/${rest}` : rest, glob: false };
  const controlled = places(path, at).some(({ absolute }) =>
    [absolute, facts.path(absolute).real].some((each) => isControl(each, at)),
  );
  if (controlled) forbid(word.value, at);
  else if (/[*?[]/.test(rest) && covers(rest, at)) forbid(word.value, at);
}

const isControl = (path: string, at: Context): boolean =>
  /^(state|git-control)$/.test(classifyPath(path, at.run.facts));

const own = ["", "/team.toml", "/config.toml", "/hooks.toml"].map((name) => `.fettle${name}`);

/** In a pathspec a star crosses folders, and matches a leading dot. */
function covers(pattern: string, at: Context): boolean {
  if (at.run.facts.path(`${at.run.facts.workspace}/.fettle`).kind === "missing") return false;
  const source = globSource(pattern.replace(/^(\.?\/)+/, "").replaceAll(/\*+/g, "**"));
  const expression = new RegExp(`^${source ?? ".*"}$`, "i");
  return own.some((name) => expression.test(name));
}

/** The files that a patch names, below the folders that are left out of their names. */
function judgePatch(text: string, at: Context): void {
  for (const [, file = ""] of text.matchAll(/^(?:\+\+\+|---|rename (?:from|to)|copy to|diff --git) "?([^"\t\r\n]+)/gm))
    if (
      plainPath(file)
        .split("/")
        .some((part) => part === ".fettle" || namesGit(part))
    ) {
      forbid(file, at);
      return;
    }
}

const forbid = (what: string, at: Context): void =>
  note(at, "L3", "path.own", `changes fettle's own files or git's (${what})`, "control");

/**
 * What git takes out of patches, the stash, the index or a commit. Switching to a branch is left to what git's own row says:
 * it brings what the person's history holds, and is asked at every level below 4 anyway.
 */
function judgeBroughtByGit(verb: string, words: readonly Text[], at: Context): void {
  const has = (pattern: RegExp) => words.some(({ value }) => pattern.test(value));
  if (
    (verb === "apply" || verb === "am") &&
    !has(/^--(check|stat|numstat|summary|abort|quit|skip|cached|show-current-patch)/)
  ) {
    const files = operands(words);
    const folder = words.find(({ value }) => value.startsWith("--directory="));
    const texts = files.length > 0 ? files.flatMap((word) => textsOf(word, at)) : [at.scope.stdin.text];
    judgePatches(texts, folder && { ...folder, value: folder.value.slice("--directory=".length) }, at);
  } else if (verb === "stash" && /^(pop|apply|branch)$/.test(words[0]?.value ?? ""))
    unknownWrites("brings back files that are not known beforehand", undefined, at);
  else if (verb === "checkout-index" || (verb === "read-tree" && has(/^-[a-z]*u/)))
    unknownWrites("writes files that are not known beforehand", undefined, at);
  else if (verb === "checkout" || verb === "restore") takesBack(verb, words, at);
}

/** `git checkout [COMMIT] -- PATHS` and `git restore PATHS`. */
function takesBack(verb: string, words: readonly Text[], at: Context): void {
  if (
    words.some(({ value }) => /^(-S|--staged)$/.test(value)) &&
    !words.some(({ value }) => /^(-W|--worktree)$/.test(value))
  )
    return;
  const dashes = words.findIndex(({ value }) => value === "--");
  const plain = operands(words).filter(
    (_, index, all) =>
      !/^(-s|--source|-b|-B|--orphan)$/.test(words[words.indexOf(all[index] as Text) - 1]?.value ?? ""),
  );
  const isPath = (word: Text) =>
    word.glob === true ||
    word.holes ||
    places(word, at).some(({ absolute }) => at.run.facts.path(absolute).kind !== "missing");
  const paths =
    dashes >= 0
      ? words.slice(dashes + 1)
      : verb === "restore"
        ? plain
        : plain.filter((word, index) => index > 0 || isPath(word));
  for (const path of paths) {
    const file = !path.holes && path.glob !== true && !/^:|[*?[]/.test(path.value) && isFile(path, at);
    if (file) judgePath(path, "edit", at);
    else unknownWrites("brings back files that are not known beforehand", undefined, at);
  }
}

/** A file by what is there, or by its ending where it was deleted. */
const isFile = (path: Text, at: Context): boolean =>
  places(path, at).every(({ absolute }) => {
    const { kind } = at.run.facts.path(absolute);
    return kind === "file" || (kind === "missing" && /[^./]\.\w+$/.test(path.value));
  });
