// The names that a listing of git prints inside of `$(…)`: asked of git itself when the command is judged. They are part of
// what is judged and approved, so another listing is another command.
import { gitReaders } from "./table.ts";
import type { Context } from "../../command-line/context/context.ts";
import type { Findings } from "../../command-line/context/findings.ts";
import { type Flow, isStatic, Origin, type Text } from "../../command-line/syntax/text.ts";

interface Listing {
  options: RegExp;
  needs?: RegExp;
}

const nameOnly = /^--name-only$/;
const filter = "--diff-filter=[A-Za-z]+";
/** Only what the index and commits name, which nothing in a sandbox can change. */
const listings: ReadonlyMap<string, Listing> = new Map([
  ["ls-files", { options: /^(-[cdm]+|--cached|--deleted|--modified)$/ }],
  ["ls-tree", { options: /^(-r|--name-only)$/, needs: nameOnly }],
  ["diff", { options: new RegExp(`^(--name-only|--cached|--staged|--merge-base|${filter})$`), needs: nameOnly }],
  ["diff-tree", { options: new RegExp(`^(--name-only|-r|--root|--no-commit-id|${filter})$`), needs: nameOnly }],
  ["diff-index", { options: new RegExp(`^(--name-only|--cached|${filter})$`), needs: nameOnly }],
  ["diff-files", { options: new RegExp(`^(--name-only|${filter})$`), needs: nameOnly }],
]);
const operand = /^[\w@^~./*][\w@^~./*-]*$/;

/** Nothing before it in the same line could have changed what it prints. */
export const nothingChanged = ({ risk, tags, effects }: Findings): boolean =>
  risk === "L0" &&
  !tags.has("background") &&
  effects.every(
    ({ kind, target }) => kind === "read" || kind === "execute" || (kind === "vcs" && gitReaders.has(target)),
  );

/** Undefined where it is no such listing, or git could not be asked. */
export function listedNames(argv: readonly Text[], at: Context): Flow | undefined {
  const [folder, ...more] = at.scope.folders;
  if (at.listing === undefined || at.listing !== at.part || folder === undefined || more.length > 0) return undefined;
  const words = wordsOf(argv.slice(1));
  const names = words && at.run.facts.gitNames?.(words, folder);
  if (!names) return undefined;
  at.run.findings.listed.push([folder, ...words, "->", ...names].join(" "));
  for (const name of names) if (name.startsWith("-")) at.run.dashed.add(name);
  return { shape: "unknown", from: Origin.file, text: names.map((name) => `${name}\n`).join("") };
}

function wordsOf([verb, ...rest]: readonly Text[]): string[] | undefined {
  const known = isStatic(verb) ? listings.get(verb.value) : undefined;
  if (!verb || !known || !rest.every((word) => isStatic(word) && !word.glob && !word.doubtful)) return undefined;
  const words = rest.map(({ value }) => value);
  const end = words.indexOf("--");
  const fits = words.every((word, at) =>
    end >= 0 && at > end ? operand.test(word) : word === "--" || known.options.test(word) || operand.test(word),
  );
  return fits && (!known.needs || words.some((word) => known.needs?.test(word))) ? [verb.value, ...words] : undefined;
}
