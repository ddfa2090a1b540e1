// A shell line as the commands that it joins by `;`, `&&`, `||` and `&`, each as it could be run by itself.
import { parse } from "unbash";
import { joinedCommands } from "./joined.ts";

const mostParts = 12;
/** Sets up what later commands rely on, so it goes along with each of them. */
const setsUp = /^((cd|pushd|export)\s[^|<>]*|[A-Za-z_]\w*=\S*)$/;
/** Later parts mean something else without it. */
const defines = /^(function|alias|set|shopt|source|\.|eval|exec|trap|if|for|while|until|case)\b|^\w+\s*\(\)/;

/** Empty where there is only one, or where they cannot be told apart for certain. */
export function listParts(source: string): string[] {
  const texts = (joinedCommands(source) ?? []).map(({ text }) => text);
  if (texts.length < 2 || texts.length > mostParts || texts.some((text) => defines.test(text))) return [];
  const before: string[] = [];
  const parts: string[] = [];
  for (const text of texts) {
    if (setsUp.test(text)) before.push(text);
    else parts.push([...before, text].join(" && "));
  }
  return parts;
}

/** One command of a line, with what sets up what it relies on. */
export interface ChainPart {
  before: readonly string[];
  text: string;
}

/**
 * The commands of a line that are each to succeed; `a || b` is one of them. `loose`: one that fails does not end the line, and
 * only the last one's exit code is known. Undefined where they cannot be told apart for certain.
 */
export function chainOf(source: string): { parts: ChainPart[]; loose: boolean } | undefined {
  if (source.includes("<<")) return undefined;
  const tree = parse(source);
  if ((tree.errors?.length ?? 0) > 0 || tree.commands.some(({ background }) => background)) return undefined;
  const texts: string[] = [];
  for (const { command } of tree.commands) {
    const single = command.type !== "AndOr";
    const commands = single ? [command] : command.commands;
    if (commands.some(({ type }) => type !== "Command" && type !== "Pipeline")) return undefined;
    const operators = single ? [] : command.operators;
    // What is behind `||` would stand for all that is before it.
    if (operators.some((each, at) => each === "||" && operators.slice(0, at).includes("&&"))) return undefined;
    let begin = 0;
    for (const [at, each] of commands.entries()) {
      if (operators[at] === "||") continue;
      texts.push(source.slice(commands[begin]?.pos, each.end).trim());
      begin = at + 1;
    }
  }
  if (texts.length > mostParts || texts.some((text) => defines.test(text))) return undefined;
  const before: string[] = [];
  const parts: ChainPart[] = [];
  for (const text of texts) {
    if (setsUp.test(text)) before.push(text);
    else parts.push({ before: [...before], text });
  }
  return { parts, loose: tree.commands.length > 1 };
}
