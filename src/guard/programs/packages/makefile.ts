// What make and just would run for the targets they are given.
import { posix } from "node:path";
import type { Context } from "../../command-line/context/context.ts";
import type { Text } from "../../command-line/syntax/text.ts";

interface Recipes {
  readonly lines: readonly string[];
  /** Every target was found, and nothing in the file is worked out when it is read. */
  readonly whole: boolean;
}

interface Rule {
  needs: string[];
  lines: string[];
}

/** The first that is there is obeyed. */
export const makefiles: readonly string[] = ["GNUmakefile", "makefile", "Makefile"];
export const justfiles: readonly string[] = ["justfile", "Justfile", ".justfile"];

const none: Recipes = { lines: [], whole: false };
const common: readonly (readonly [string, string])[] = [
  ["CC", "cc"],
  ["CXX", "c++"],
  ["RM", "rm -f"],
  ["MAKE", "make"],
  ["CURDIR", "."],
];
/** Runs something, or brings in other files, while make reads. */
const unforeseen =
  /\$[({](shell|eval|call|file|foreach|guile|wildcard)\b|!=|^\s*-?s?include\s|^\s*(define|load)\s|^(override |export )?\s*(SHELL|\.SHELLFLAGS|MAKEFLAGS|PATH)\s*[:?+]?=|^\.(ONESHELL|SECONDEXPANSION)/m;

/** The recipes of the named targets (else the first one) and of what they depend on, as shell source. */
export function makeRecipes(words: readonly Text[], at: Context): Recipes {
  const [folder] = at.scope.folders;
  if (
    folder === undefined ||
    words.some((text) => /^-(C|f|I|E)|^--(directory|file|makefile|eval|include)/.test(text.value))
  )
    return none;
  const text = read(makefiles, folder, at);
  if (text === undefined) return none;
  const { lines, unknown, targets } = makeLines(
    text,
    words.map((word) => word.value),
  );
  const missing = unknown.some((target) => at.run.facts.path(posix.resolve(folder, target)).kind === "missing");
  return { lines, whole: !missing && targets.size > 0 && !unforeseen.test(text) };
}

interface RecipeLines {
  lines: string[];
  targets: ReadonlySet<string>;
  /** Those that have no rule: files, where there are such. */
  unknown: string[];
}

/** Of a Makefile's text, for the words behind `make`. */
export function makeLines(text: string, words: readonly string[]): RecipeLines {
  const { rules, variables } = parsed(text);
  for (const word of words) {
    const given = /^(\w+)[:?+]?=(.*)$/s.exec(word);
    if (given) variables.set(given[1] ?? "", given[2] ?? "");
  }
  const found = linesOf(
    rules,
    words.filter((word) => !/^-|=/.test(word)),
  );
  return { ...found, lines: found.lines.map((line) => shellText(line, variables)) };
}

/** Of the named targets, else of the first one, with what they need. */
function linesOf(rules: ReadonlyMap<string, Rule>, named: readonly string[]): RecipeLines {
  const targets = new Set(named.length > 0 ? named : [...rules.keys()].slice(0, 1));
  for (const target of targets) for (const need of rules.get(target)?.needs ?? []) targets.add(need);
  const lines = [...targets].flatMap((target) => rules.get(target)?.lines ?? []);
  return { lines, targets, unknown: [...targets].filter((target) => !rules.has(target)) };
}

const read = (names: readonly string[], folder: string, at: Context): string | undefined =>
  names.map((name) => at.run.facts.text(posix.resolve(folder, name))).find((found) => found !== undefined);

function parsed(text: string): { rules: Map<string, Rule>; variables: Map<string, string> } {
  const rules = new Map<string, Rule>();
  const variables = new Map(common);
  let current: Rule | undefined;
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    const variable = /^(?:export\s+)?(\w+)\s*(?::{1,3}|\?)?=\s*(.*?)\s*(?:#.*)?$/.exec(line);
    const rule = /^([\w./%-]+(?:\s+[\w./%-]+)*)\s*::?(?!=)\s*([^#;=]*)(?:;(.*))?/.exec(line);
    if (line.startsWith("\t")) current?.lines.push(line.slice(1).replace(/^[@+-]+/, ""));
    else if (variable) variables.set(variable[1] ?? "", variable[2] ?? "");
    else if (rule) {
      current = { needs: (rule[2] ?? "").split(/\s+/).filter((need) => need && need !== "|"), lines: [] };
      if (rule[3]) current.lines.push(rule[3]);
      for (const target of (rule[1] ?? "").split(/\s+/)) if (!target.startsWith(".")) rules.set(target, current);
    }
  }
  return { rules, variables };
}

/** Variables that make knows are put in; others look like unset variables of the shell, which nobody knows. */
function shellText(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < 5 && /\$[({]\w+[)}]/.test(text); round++)
    text = text
      .replace(/\$[({](\w+)[)}]/g, (_, name: string) => variables.get(name) ?? `$fettle_${name}`)
      .slice(0, 10_000);
  return text
    .replace(/\$[({](\w+)[)}]/g, "$fettle_$1")
    .replace(/\$[@<^?*](?!\$)/g, "$fettle_target")
    .replaceAll("$$", "$");
}

/** The same of a justfile; recipes with parameters or settings are not looked through. */
export function justRecipes(words: readonly Text[], at: Context): Recipes {
  const [folder] = at.scope.folders;
  if (folder === undefined || words.some((text) => /^-|=/.test(text.value))) return none;
  const text = read(justfiles, folder, at);
  if (text === undefined) return none;
  const { lines, unknown, targets } = justLines(
    text,
    words.map((word) => word.value),
  );
  return {
    lines,
    whole: targets.size > 0 && unknown.length === 0 && !/\{\{|^set\s|^import\s|^mod\s|^\s+#!|`/m.test(text),
  };
}

/** Of a justfile's text, for the words behind `just`. */
export function justLines(text: string, words: readonly string[]): RecipeLines {
  const rules = new Map<string, Rule>();
  let current: Rule | undefined;
  for (const line of text.split("\n")) {
    const rule = /^@?([\w-]+):(?!=)\s*([\w\s-]*)$/.exec(line);
    if (/^\s+\S/.test(line)) current?.lines.push(line.trim().replace(/^[@-]+/, ""));
    else if (rule) {
      current = { needs: (rule[2] ?? "").split(/\s+/).filter(Boolean), lines: [] };
      rules.set(rule[1] ?? "", current);
    } else if (line.trim()) current = undefined;
  }
  return linesOf(rules, words);
}
