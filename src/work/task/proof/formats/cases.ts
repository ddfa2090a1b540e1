// What every report of a test framework comes down to.
import { jsonOf } from "../../../../base/json-text.ts";

/**
 * `assertion`: a check of the test's said no. `load`: the test could not be read, imported, compiled or collected.
 * `error`: something else was thrown, by the code, by the test or before it.
 */
export type Outcome = "passed" | "assertion" | "load" | "error" | "skipped";

export interface Case {
  name: string;
  outcome: Outcome;
  /** In the framework's words. */
  detail: string;
}

/** Undefined when there is no report in the output. */
export type Reader = (output: string, source?: SourceLine) => Case[] | undefined;

/** One line of a file of the repository, counted from 1. */
export type SourceLine = (file: string, line: number) => string | undefined;

const broken =
  /SyntaxError|IndentationError|\b(?:ImportError|ModuleNotFoundError)\b|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export|Failed to (?:import|load|resolve|compile|collect)|could not compile|COMPILATION ERROR|Compilation (?:failed|failure)|compileTestJava|compileJava FAILED|\[(?:build|setup) failed\]|error\[E\d+\]|Transform failed|PARSE_ERROR|unexpected token|cannot find symbol|error TS\d+|Error: Compilation failed|Failed to load "/i;

/** Whether an output says that something could not be read, imported or compiled. */
export const saysBroken = (output: string): boolean => broken.test(output);

const escape = "\u001b";
const colours = new RegExp(`${escape}\\[[0-9;]*[A-Za-z]`, "g");
export const plain = (text: string): string => text.replaceAll(colours, "");

/** JSON objects, one on each line, whatever stands between them. */
export function* jsonLines(output: string): Generator<Record<string, unknown>> {
  for (const line of output.split("\n")) {
    if (!line.startsWith("{") && !line.startsWith("[{")) continue;
    const parsed = jsonOf(line);
    for (const one of Array.isArray(parsed) ? parsed : [parsed])
      if (typeof one === "object" && one !== null) yield one as Record<string, unknown>;
  }
}

/** The first JSON object that has `key`, wherever in the output it begins and ends. */
export function jsonWith(output: string, key: string): Record<string, unknown> | undefined {
  for (let start = output.indexOf("{"); start >= 0; start = output.indexOf("{", start + 1)) {
    if (!/^\{\s*"/.test(output.slice(start, start + 40))) continue;
    const end = closing(output, start);
    const parsed = end === undefined ? undefined : jsonOf(output.slice(start, end + 1));
    if (typeof parsed !== "object" || parsed === null) continue;
    if (key in parsed) return parsed as Record<string, unknown>;
    start = end ?? start;
  }
  return undefined;
}

function closing(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = afterString(text, at);
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function afterString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
