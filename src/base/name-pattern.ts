// A pattern of names as hook files have it: exact names, `*`, globs, or a regular expression; always of the whole name.

/** Undefined when it is neither a glob nor a regular expression. */
export function namePattern(text: string): RegExp | undefined {
  const source = /[.^$()[\]{}+\\]/.test(text) ? text : globSource(text);
  try {
    return new RegExp(`^(?:${source})$`);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Empty means every name, as in the files of other agents. */
const globSource = (text: string): string =>
  text.trim() === "" ? ".*" : text.trim().replaceAll("*", ".*").replaceAll("?", ".");
