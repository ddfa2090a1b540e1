// fettle's own files and git's, which git is told to write, to take back or to put away.
import { type Context, note } from "../context.ts";
import { globSource } from "../glob.ts";
import { places } from "../paths.ts";
import { classifyPath } from "../sensitive.ts";
import type { Text } from "../shell/text.ts";
import { operands } from "./git-paths.ts";

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
  if (verb !== "apply" && verb !== "am") return;
  const { contents, facts } = at.run;
  const texts = operands(words).flatMap((word) =>
    places(word, at).map(({ absolute }) => contents.get(absolute) ?? facts.text(absolute)),
  );
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
    if (/(^|\/)\.(fettle|git)(\/|$)/i.test(file)) {
      forbid(file, at);
      return;
    }
}

const forbid = (what: string, at: Context): void =>
  note(at, "L3", "path.own", `changes fettle's own files or git's (${what})`, "control");
