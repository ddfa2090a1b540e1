// Tests that a document names in backticks as `test/x.test.ts: title`, or as a heading of a corpus, and whether they exist.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const texts = new Map<string, string>();

export const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

export const namedTests = (text: string): string[] =>
  Array.from(text.matchAll(/`(test\/[\w./-]+\.(?:test\.ts|txt): [^`]+)`/g), ([, named = ""]) => named);

/** What is wrong with `test/x.test.ts: title`, or nothing. */
export function problemOf(named: string): string | undefined {
  const [, file = "", title = ""] = /^(test\/[\w./-]+\.(?:test\.ts|txt)): (.+)$/.exec(named) ?? [];
  if (!existsSync(path.join(root, file)) || title === "") return `${named}: there is no such file`;
  const text = texts.get(file) ?? textOf(file);
  texts.set(file, text);
  const wanted = file.endsWith(".txt") ? `# ${title}\n` : JSON.stringify(title).slice(1, -1);
  return text.includes(wanted) ? undefined : `${named}: there is no such test`;
}

/** The rows of each chapter's table: what stands in the first cell, and the tests that the row names. */
export function rowsOf(text: string): Map<string, { what: string; tests: string[] }[]> {
  const chapters = text.split(/^## /m).slice(1);
  return new Map(
    chapters.map((chapter) => {
      const [title = "", ...lines] = chapter.split("\n");
      const rows = lines.filter((line) => line.startsWith("| ")).slice(1);
      return [title, rows.map((row) => ({ what: row.split(/(?<!\\)\|/)[1]?.trim() ?? "", tests: namedTests(row) }))];
    }),
  );
}
