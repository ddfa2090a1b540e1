// A command line of simple commands: `cd folder && A | head && B`. Anything else of a shell's grammar is none.
import path from "node:path";
import { type AndOr, type Command, parse, type PipelineNode } from "unbash";
import { entryOf } from "../../base/entry.ts";
import { wordsOf } from "../matching/words.ts";

/** One program with its words, in a folder of the workspace (`""`: its top). */
export interface Call {
  folder: string;
  /** `NAME=value`. */
  env: string[];
  words: string[];
}

/** Where its output goes from there. */
export interface Piped extends Call {
  into: string[][];
}

const quiet = /^(?:2>\s*&1|[12]?>\s*\/dev\/null|&>\s*\/dev\/null)$/;

/** Undefined where it is more than programs one after another, or a word is not written out. */
export function callsOf(source: string, workspace: string | undefined): Piped[] | undefined {
  const tree = parse(source);
  const [only, ...more] = tree.commands;
  if ((tree.errors?.length ?? 0) > 0 || !only || more.length > 0 || only.background === true) return undefined;
  if (source.slice(only.end).trim() !== "") return undefined;
  const pipelines = parts(only.command);
  const calls: Piped[] = [];
  let folder: string | undefined = "";
  for (const pipeline of pipelines ?? []) {
    const [first, ...into] = commandsOf(pipeline)?.map((command) => readCommand(command, source)) ?? [];
    if (!first || into.some((each) => !each || each.env.length > 0)) return undefined;
    if (first.words[0] === "cd" && into.length === 0 && first.env.length === 0 && first.words.length === 2)
      folder = below(folder, first.words[1] ?? "", workspace);
    else calls.push({ ...first, folder, into: into.map((each) => each?.words ?? []) });
    if (folder === undefined) return undefined;
  }
  return calls.length > 0 ? calls : undefined;
}

const parts = (node: PipelineNode | AndOr): readonly PipelineNode[] | undefined => {
  if (node.type !== "AndOr") return [node];
  return node.operators.every((operator) => operator === "&&") ? node.commands : undefined;
};

function commandsOf(node: PipelineNode): readonly Command[] | undefined {
  if (node.type === "Command") return [node];
  if (node.type !== "Pipeline" || node.prefixes.length > 0) return undefined;
  const commands = node.commands.filter((each) => each.type === "Command");
  return commands.length === node.commands.length ? commands : undefined;
}

function readCommand({ name, args, prefix, redirects }: Command, source: string): Omit<Call, "folder"> | undefined {
  if (!name || !redirects.every(({ pos, end }) => quiet.test(source.slice(pos, end).trim()))) return undefined;
  const words = [name, ...args].map(({ pos, end }) => writtenOut(source.slice(pos, end)));
  const env = prefix
    .filter(({ type }) => type === "Assignment")
    .map(({ pos, end }) => writtenOut(source.slice(pos, end)));
  if (![...words, ...env].every((word) => word !== undefined)) return undefined;
  return { words: words.flatMap((word) => word ?? []), env: env.flatMap((word) => word ?? []) };
}

/** Undefined where the shell would still change the word. */
export function writtenOut(text: string): string | undefined {
  const bare = text.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, "");
  if (/[*?[\]{}~!]/.test(bare)) return undefined;
  const words = wordsOf(text);
  return words?.length === 1 ? words[0] : undefined;
}

const left = /(?:^|\/)(?:node_modules|\.[^/]+)(?:\/|$)/;

/** A folder or file of the repository as seen from its top; undefined outside of it, among dependencies, or hidden. */
export function below(folder: string | undefined, to: string, workspace: string | undefined): string | undefined {
  // `cd -P` goes home, and `cd -` back to where the shell was.
  if (folder === undefined || to.startsWith("-")) return undefined;
  const inside = workspace !== undefined && (to === workspace || to.startsWith(`${workspace}/`));
  const plain = inside ? to.slice((workspace ?? "").length + 1) : path.posix.join(folder, to);
  const found = path.posix.normalize(plain === "" ? "." : plain).replace(/\/$/, "");
  if ((path.posix.isAbsolute(to) && !inside) || found.split("/")[0] === ".." || left.test(found)) return undefined;
  return found === "." ? "" : found;
}

const filters: Readonly<Record<string, { words: RegExp; valued: RegExp; operands: number }>> = {
  head: { words: /^(?:-\d+|-[nc]-?\d+|--(?:lines|bytes)=-?\d+|-q)$/, valued: /^-[nc]$/, operands: 0 },
  tail: { words: /^(?:-\d+|-[nc][+-]?\d+|--(?:lines|bytes)=[+-]?\d+|-q)$/, valued: /^-[nc]$/, operands: 0 },
  wc: { words: /^(?:-[lwcmL]+|--(?:lines|words|bytes|chars))$/, valued: /^$/, operands: 0 },
  grep: {
    words:
      /^(?:-[EFGPiovncwxqhsa]+|-[ABCm]\d+|-\d+|--(?:color=\w+|ignore-case|invert-match|count|line-number|extended-regexp|context=\d+))$/,
    valued: /^-[ABCm]$/,
    operands: 1,
  },
};

/** Shows less of what it is given, and reads nothing else. */
export function onlyShortens([program = "", ...words]: readonly string[]): boolean {
  const filter = entryOf(filters, program);
  if (!filter) return false;
  let operands = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (filter.words.test(word)) continue;
    if (filter.valued.test(word)) {
      at += 1;
      if (!/^[+-]?\d+$/.test(words[at] ?? "")) return false;
    } else if (program === "grep" && word === "-e" && operands === 0) {
      at += 1;
      operands += 1;
    } else if (word.startsWith("-")) return false;
    else operands += 1;
  }
  return operands === filter.operands;
}
