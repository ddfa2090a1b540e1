// A pattern of names as hook files have it: exact names, `*`, globs, or a regular expression; always of the whole name.
import { isA, withFallback } from "./fallback.ts";

/** Undefined when it is neither a glob nor a regular expression. */
export function namePattern(text: string): RegExp | undefined {
  const source = /[.^$()[\]{}+\\]/.test(text) ? text : globSource(text);
  return withFallback(undefined, isA(SyntaxError), () => new RegExp(`^(?:${source})$`));
}

/** Empty means every name, as in the files of other agents. */
const globSource = (text: string): string =>
  text.trim() === "" ? ".*" : text.trim().replaceAll("*", ".*").replaceAll("?", ".");
