// jq and its kin: options of two words, and programs that read more than their operands.
import { type Context, type Handler, note } from "../../command-line/context/context.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { type Text, unknown } from "../../command-line/syntax/text.ts";
import { judgeRow } from "../rows/judge.ts";

const named = /^--(arg|argjson|slurpfile|rawfile)$/;

/** `--rawfile NAME FILE` and its kin, taken out. */
function withoutNamed(words: readonly Text[], at: Context): Text[] {
  const rest: Text[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    if (!named.test(word.value)) rest.push(word);
    else {
      const value = words[index + 2];
      if (value && /file$/.test(word.value)) judgePath(value, "read", at);
      index += 2;
    }
  }
  return rest;
}

export const jq: Handler = (argv, at) => {
  const words = withoutNamed(argv, at);
  for (const { value } of words.slice(1)) {
    if (/\$ENV\b|\benv(subst)?\b|\bstrenv\b/.test(value.replace(/"[^"]*"|\.\s*env\b/g, "")))
      note(at, "L2", "shell.prints-secret", "reads the environment, which may hold secrets", "sensitive-read");
    if (/\bload(_\w+)?\s*\(/.test(value) || /(^|;)\s*(import|include)\s*"/.test(value))
      note(at, "L2", "path.dynamic", "reads files that its program names", "dynamic");
  }
  // jq takes its program from the first operand, wherever the option stands.
  if (words.some(({ value }) => /^(?:--from-file|-[a-zA-Z]*f)/.test(value)))
    for (const word of words.slice(1)) if (!word.value.startsWith("-")) judgePath(word, "read", at);
  const row = at.run.row(argv[0]?.value ?? "");
  return row ? judgeRow(row, words, at) : unknown();
};
