// git in a repository that the session made for itself, in its private temporary folder: nobody's work but the model's.
import { type Context, note } from "../../command-line/context/context.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { within } from "../../command-line/context/sensitive.ts";
import { isStatic, literal, type Text } from "../../command-line/syntax/text.ts";
import { has } from "./form.ts";
import { writesOrdinary } from "./old.ts";
import { operands } from "./paths.ts";

/** Verbs that work on a repository and its files, reach no host, and run no program but what its settings name. */
const local =
  /^(?:init|clone|add|stage|commit|checkout|switch|restore|reset|stash|branch|tag|merge|cherry-pick|revert|rm|mv|clean|apply|am|rebase|config|notes|write-tree|commit-tree|hash-object|update-index|update-ref|read-tree|gc)$/;

/** Options that name another place, take code, or another person's settings. */
const elsewhere =
  /^(?:--(?:template|separate-git-dir|exec|interactive|global|system|file|prefix|work-tree|unsafe-paths|edit|reference|upload-pack|config|recurse-submodules|recursive|shared|object-dir|directory|output)(?:$|=)|-[xufces]$|-x.)/;
const plainOption = /^(?:commit|tag|merge|rebase|stash|add|rm|clean|checkout|branch|switch|reset|apply)$/;

/**
 * True: it was judged here, as code that a layer holds, and opens no repository of the person's. What it does stays in the
 * session's own folder, which is removed with it; the sandbox shows the workspace's repository read-only beside it.
 */
export function judgeScratch(verb: string, words: readonly Text[], at: Context): boolean {
  const { facts, findings } = at.run;
  if (facts.privateTmp !== true || !local.test(verb)) return false;
  if (words.some((word) => leaves(verb, word))) return false;
  const target = placeOf(verb, words, at);
  if (target === undefined) return false;
  findings.effect(at.part, "execute", "git");
  if (target !== "") judgePath(literal(target), "create", at);
  note(at, "L2", "git.scratch", "works in a repository in the private temporary folder", "unknown-program");
  return true;
}

/** `-f`, `-e`, `-s`, `-u`, `-c` are harmless of a verb that takes no place by them. */
const leaves = (verb: string, { value }: Text): boolean =>
  elsewhere.test(value) && !(plainOption.test(verb) && /^-[fuces]$/.test(value));

/** Where it works: "" in the folders that the shell is in, else what it makes. Undefined: not surely in the private folder. */
function placeOf(verb: string, words: readonly Text[], at: Context): string | undefined {
  const plain = operands(words);
  if (verb === "clone") return cloned(words, at);
  if (verb === "init" && plain.length > 0) {
    const [folder, ...more] = plain;
    return folder && more.length === 0 && inScratch(folder, at) ? folder.value : undefined;
  }
  const { folders } = at.scope;
  return folders.length > 0 && folders.every((folder) => isScratch(folder, at)) ? "" : undefined;
}

/** A repository of the workspace's own commit, or of the private folder, into the private folder. */
function cloned(words: readonly Text[], at: Context): string | undefined {
  const [from, to, ...more] = words.filter(
    ({ value }) => !/^(?:-q|--quiet|--no-hardlinks|-l|--local|-n|--no-checkout|--bare)$/.test(value),
  );
  if (!from || !to || more.length > 0 || has(words, /^-[^qln]/) || !inScratch(to, at)) return undefined;
  if (!isStatic(from) || /:/.test(from.value)) return undefined;
  const { workspace } = at.run.facts;
  const sources = places(from, at);
  const own = sources.every(({ absolute }) => absolute === workspace) && writesOrdinary("HEAD", at);
  return own || inScratch(from, at) ? to.value : undefined;
}

/** By its name, or by `mktemp`, which says that it is there. */
function inScratch(word: Text, at: Context): boolean {
  if (word.holes || word.glob || word.doubtful) return false;
  const found = places(word, at);
  return found.length > 0 && found.every(({ absolute, partial }) => !partial && isScratch(absolute, at));
}

/** Below it, not the folder itself, where git would take other sessions' files of this one for its own. */
function isScratch(folder: string, at: Context): boolean {
  const { facts } = at.run;
  const { real } = facts.path(folder);
  return real !== facts.temporary && within(real, facts.temporary);
}
