// Languages by the endings of file names.
import path from "node:path";

const endings: Readonly<Record<string, string>> = {
  TypeScript: ".ts .tsx .mts .cts",
  JavaScript: ".js .jsx .mjs .cjs",
  Python: ".py .pyi",
  Java: ".java",
  Kotlin: ".kt .kts",
  Scala: ".scala .sbt",
  Go: ".go",
  Rust: ".rs",
  Dart: ".dart",
  Ruby: ".rb .rake",
  PHP: ".php",
  C: ".c .h",
  "C++": ".cc .cpp .cxx .hpp .hh",
  "C#": ".cs",
  "F#": ".fs",
  Swift: ".swift",
  "Objective-C": ".m .mm",
  Elixir: ".ex .exs",
  Erlang: ".erl",
  Haskell: ".hs",
  Lua: ".lua",
  Perl: ".pl .pm",
  R: ".r",
  Shell: ".sh .bash .zsh",
  SQL: ".sql",
  Terraform: ".tf",
  Vue: ".vue",
  Svelte: ".svelte",
  Markdown: ".md .mdx",
  HTML: ".html",
  CSS: ".css .scss .less",
};

const byEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(endings).flatMap(([language, list]) => list.split(" ").map((ending) => [ending, language])),
);

export const languageOf = (file: string): string | undefined => byEnding.get(path.posix.extname(file).toLowerCase());
