// A line that puts changes away, runs something on what was there before, and brings them back: three commands, or four.
import { type Joined, joinedCommands } from "./joined.ts";

export interface StashSteps {
  /** What the line does before it puts anything away. */
  before?: string;
  away: string;
  between: string;
  back: string;
  /** After `&&`: only when what came before it ended with 0. */
  awayOnly: boolean;
  betweenOnly: boolean;
  backOnly: boolean;
}

const puts = /^git stash(?:$|\s+(?:push|save|-)(?!\S*[|<>`$]))/;
const brings = /^git stash (?:pop|apply)\b/;
/** It would be lost in a shell of its own: later commands rely on it. */
const setsUp =
  /^(?:cd|pushd|popd|export|set|shopt|source|\.|alias|unset|umask|ulimit|exec|eval|trap|function|declare|local|readonly|exit|return)\b|^\w+=\S*$|^\w+\s*\(\)/;

/** Undefined for any other line, and where the parts share more than the folder that they begin in. */
export function stashSteps(source: string): StashSteps | undefined {
  if (!/\bgit stash\b[^]*\bgit stash (?:pop|apply)\b/.test(source)) return undefined;
  const all = joinedCommands(source);
  if (!all || all.some(({ background }) => background)) return undefined;
  const [first, second] = all;
  const inFolder = first !== undefined && /^cd [^|<>`$\n]+$/.test(first.text) && second?.joint === "&&";
  const folder = inFolder ? `${first.text} && ` : "";
  const parts = all.slice(inFolder ? 1 : 0);
  const putAt = parts.findIndex(({ text }) => puts.test(text));
  const at = parts.findIndex(({ text }) => brings.test(text));
  const [away, next] = parts.slice(putAt);
  const back = parts[at];
  if (putAt < 0 || at < putAt + 2 || !away || !next || !back) return undefined;
  if ([away, next, back].some(({ joint }) => joint === "||")) return undefined;
  const before = parts.slice(0, putAt);
  if (before.some(({ text }) => setsUp.test(text))) return undefined;
  const lines = [before, parts.slice(putAt + 1, at), parts.slice(at)].map((some) => lineOf(source, some, all));
  const [earlier, between, rest] = lines;
  // It would be empty in a shell of its own.
  if (earlier === undefined || between === undefined || rest === undefined || rest.includes("$")) return undefined;
  return {
    ...(before.length > 0 && { before: folder + earlier }),
    away: folder + away.text,
    between: folder + between,
    back: folder + rest,
    awayOnly: before.length > 0 && away.joint === "&&",
    betweenOnly: next.joint === "&&",
    backOnly: back.joint === "&&",
  };
}

/** Neighbours as they stand in the line; undefined where they are not the same without the rest of it. */
function lineOf(source: string, some: readonly Joined[], all: readonly Joined[]): string | undefined {
  const [first] = some;
  if (!first) return "";
  const behind = all[all.indexOf(first) + some.length];
  const line = source.slice(first.from, behind?.from).replace(/[\s;]*(?:&&)?\s*$/, "");
  const same =
    joinedCommands(line)
      ?.map(({ text }) => text)
      .join("\0") === some.map(({ text }) => text).join("\0");
  return same ? line : undefined;
}
