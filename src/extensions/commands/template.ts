// The text of a custom command: what stands there, and the places for arguments, output of commands and files.
// It is taken apart before arguments are put in, so that no argument makes a command or a file of its own.
import { shellWord } from "../../base/shell-word.ts";

export type Dialect = "claude" | "codex" | "gemini";

/** `all`: every argument; a number: that one, from 1; a name: the one that was given as NAME=value. */
type Argument = "all" | number | { name: string };
type Piece = string | { argument: Argument };

export type Part = Piece | { run: Piece[] } | { read: Piece[] };

export interface Template {
  parts: Part[];
  dialect: Dialect;
}

const patterns: Readonly<Record<Dialect, RegExp>> = {
  // !`command`, @file, $ARGUMENTS, $ARGUMENTS[0], $1
  claude:
    /!`(?<run>[^`\n]+)`|(?<=^|[\s(])@(?<read>[^\s`"',;)]*[^\s`"',;).:!?])|\$(?<argument>ARGUMENTS(?:\[\d\])?|\d)/g,
  codex: /\$(?<argument>ARGUMENTS|\d|\$|[A-Z][A-Z0-9_]*)/g,
  gemini: /!\{(?<run>(?:[^{}\n]|\{\{args\}\}|\{[^{}\n]*\})*)\}|@\{(?<read>[^{}\n]+)\}|\{\{(?<argument>args)\}\}/g,
};

const argumentsIn: Readonly<Record<Dialect, RegExp>> = {
  claude: /\$(?<argument>ARGUMENTS(?:\[\d\])?|\d)/g,
  codex: /\$(?<argument>ARGUMENTS|\d)/g,
  gemini: /\{\{(?<argument>args)\}\}/g,
};

export function templateOf(text: string, dialect: Dialect): Template {
  const parts = split(text, patterns[dialect], ({ run, read, argument }): Part => {
    if (run !== undefined) return { run: piecesOf(run.trim(), dialect) };
    if (read !== undefined) return { read: piecesOf(read.trim(), dialect) };
    return argument === "$" ? "$" : { argument: argumentOf(argument ?? "") };
  });
  return { parts, dialect };
}

const piecesOf = (text: string, dialect: Dialect): Piece[] =>
  split(text, argumentsIn[dialect], ({ argument }): Piece => ({ argument: argumentOf(argument ?? "") }));

function split<T>(
  text: string,
  pattern: RegExp,
  made: (groups: Record<string, string | undefined>) => T,
): (T | string)[] {
  const found: (T | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    found.push(made(match.groups ?? {}));
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}

function argumentOf(word: string): Argument {
  if (word === "ARGUMENTS" || word === "args") return "all";
  const index = /^ARGUMENTS\[(\d)\]$/.exec(word)?.[1];
  if (index !== undefined) return Number(index) + 1;
  return /^\d$/.test(word) ? Number(word) : { name: word };
}

export interface Expanded {
  text: string;
  runs: string[];
  reads: string[];
}

/** What it would run and read, with `…` where arguments go: to be shown before anybody trusts it. */
export function outlineOf({ parts }: Template): Pick<Expanded, "runs" | "reads"> {
  const shown = (pieces: Piece[]) => pieces.map((piece) => (typeof piece === "string" ? piece : "…")).join("");
  return {
    runs: parts.flatMap((part) => (typeof part === "object" && "run" in part ? [shown(part.run)] : [])),
    reads: parts.flatMap((part) => (typeof part === "object" && "read" in part ? [shown(part.read)] : [])),
  };
}

export function expand({ parts, dialect }: Template, argument: string): Expanded {
  const words = wordsOf(argument);
  const named = new Map(
    words.flatMap((word) => {
      const [, name, value = ""] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(word) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
  const valueOf = (wanted: Argument, quoted: boolean): string => {
    if (wanted === "all") return quoted ? words.map(shellWord).join(" ") : argument;
    const value = typeof wanted === "number" ? words[wanted - 1] : named.get(wanted.name);
    if (value === undefined) return typeof wanted === "object" ? `$${wanted.name}` : "";
    return quoted ? shellWord(value) : value;
  };
  const filled = (pieces: Piece[], quoted: boolean) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : valueOf(piece.argument, quoted))).join("");
  const runs: string[] = [];
  const reads: string[] = [];
  let used = false;
  const text = parts.map((part) => {
    if (typeof part === "string") return part;
    if ("argument" in part) {
      used = true;
      return valueOf(part.argument, false);
    }
    const pieces = "run" in part ? part.run : part.read;
    used ||= pieces.some((piece) => typeof piece === "object");
    const words = filled(pieces, "run" in part);
    if ("read" in part) {
      if (!reads.includes(words)) reads.push(words);
      return dialect === "gemini" ? words : `@${words}`;
    }
    if (!runs.includes(words)) runs.push(words);
    return `(the output of \`${words}\`, below)`;
  });
  // As in the agents that these commands come from: what was typed is never lost.
  const rest = used || argument === "" ? "" : `\n\nArguments: ${argument}`;
  return { text: text.join("") + rest, runs, reads };
}

/** Words as a shell would split them; quotes keep several together. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_all, double: string, single: string) => double?.replace(/\\(["\\])/g, "$1") ?? single,
    ),
  );
}
