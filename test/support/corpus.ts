// Corpora of tests: text files with a line each.
import { readFileSync } from "node:fs";
import path from "node:path";

/** The lines of a file beside `of`, a test's `import.meta`, without headings, which begin with `# `. */
export const corpusLines = (of: ImportMeta, file: string): string[] =>
  readFileSync(path.join(of.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "));
