// What packages say of themselves: their own texts and types, from what is installed.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { type BuiltInProgram, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { packagesOf } from "./packages.ts";
import type { DocsOptions, InstalledPackage } from "./spec.ts";

const most = { packages: 300, files: 3_000, file: 1_000_000, hits: 25, text: 20_000, listed: 60, line: 200 };

type Input = { [name: string]: unknown };

const endings: Readonly<Record<InstalledPackage["kind"], RegExp>> = {
  npm: /\.(d\.[cm]?ts|md)$/i,
  python: /(\.pyi?|\.md|\.rst|METADATA)$/,
  cargo: /\.(rs|md)$/,
  go: /\.(go|md)$/,
};

/** Where a name is made, in any of the languages. */
const declares =
  /\b(export|declare|function|class|interface|type|const|let|def|fn|struct|enum|trait|macro_rules!|func|mod|impl|namespace)\b/;

export function openDocs(options: DocsOptions): BuiltInProgram {
  const named = (input: Input): InstalledPackage => {
    const name = textOf(input, "package");
    const all = packagesOf(options);
    const found = all.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    const [first] = found.filter((each) => input["version"] === undefined || each.version === input["version"]);
    if (first) return first;
    const near = all.filter((each) => each.name.includes(name)).slice(0, 10);
    const hint = near.length === 0 ? "" : ` Near it: ${near.map(titleOf).join(", ")}.`;
    throw new PluginProblem(`No package ${name} is installed for this project.${hint}`);
  };
  const tools: Record<string, (input: Input) => string> = {
    packages(input) {
      const words = String(input["query"] ?? "").toLowerCase();
      const found = packagesOf(options).filter(({ name }) => name.toLowerCase().includes(words));
      const left = found.length - most.packages;
      const lines = found.slice(0, most.packages).map((each) => `${each.kind} ${titleOf(each)}`);
      return [...lines, ...(left > 0 ? [`(${left} more)`] : [])].join("\n") || "No package is installed.";
    },
    read(input) {
      const of = named(input);
      if (input["file"] !== undefined) return windowOf(fileIn(of, textOf(input, "file")), input["line"]);
      const files = filesOf(of);
      const shown = files.slice(0, most.listed).map((file) => `  ${shownIn(of, file)}`);
      const left = files.length - shown.length;
      const readme = of.readme === undefined ? "It has no text that introduces it." : textOfFile(of.readme);
      return [
        `${of.kind} ${titleOf(of)}`,
        cut(readme, most.text - 5_000),
        `Files with types and texts:`,
        ...shown,
        ...(left > 0 ? [`  (${left} more)`] : []),
      ].join("\n");
    },
    find(input) {
      const of = named(input);
      return hitsText(of, textOf(input, "words"));
    },
  };
  return {
    async call(tool, input) {
      const run = tools[tool];
      if (!run) throw new PluginProblem(`There is no tool ${tool}.`);
      return textReply(run(input));
    },
    close: async () => undefined,
  };
}

const titleOf = ({ name, version }: InstalledPackage): string => `${name} ${version}`;

/** Real files below the package's own folders; no link is followed, and no package inside of it is looked through. */
function filesOf({ kind, folders, readme }: InstalledPackage): string[] {
  const found = new Set<string>(readme === undefined ? [] : [readme]);
  const look = (place: string) => {
    if (found.size >= most.files) return;
    const entry = lstatSync(place, { throwIfNoEntry: false });
    if (entry?.isFile() && endings[kind].test(place)) found.add(place);
    if (!entry?.isDirectory() || /^(node_modules|\.git|target|tests?|__pycache__)$/.test(path.basename(place))) return;
    for (const name of readdirSync(place).sort()) look(path.join(place, name));
  };
  for (const folder of folders) look(realpathSync(folder));
  return [...found];
}

const shownIn = ({ folders }: InstalledPackage, file: string): string => {
  const base = path.dirname(realpathSync(folders[0] ?? "/"));
  const shown = path.relative(base, file);
  return shown.startsWith("..") ? file : shown;
};

function fileIn(of: InstalledPackage, given: string): string {
  const found = filesOf(of).find((file) => shownIn(of, file) === given || file === given || file.endsWith(`/${given}`));
  if (found !== undefined) return found;
  throw new PluginProblem(`${of.name} has no text or types in ${given}; read without "file" lists them.`);
}

const textOfFile = (file: string): string => (statSync(file).size > most.file ? "" : readFileSync(file, "utf8"));

function windowOf(file: string, line: unknown): string {
  const lines = textOfFile(file).split("\n");
  const from = Math.max(1, Number(line ?? 1) || 1);
  const numbered = lines.slice(from - 1).map((each, at) => `${from + at} ${each.slice(0, 500)}`);
  return cut(numbered.join("\n"), most.text);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}\n(${text.length - length} more characters)` : text;

/** Lines that make the first word come before those that only name it. */
function hitsText(of: InstalledPackage, words: string): string {
  const [first = "", ...others] = words.toLowerCase().split(/\s+/);
  const hits: { rank: number; text: string }[] = [];
  for (const file of filesOf(of)) {
    const lines = textOfFile(file).split("\n");
    lines.forEach((line, at) => {
      const low = line.toLowerCase();
      if (!low.includes(first) || !others.every((word) => low.includes(word))) return;
      const whole = new RegExp(`(?<![\\w$])${RegExp.escape(first)}(?![\\w$])`, "i").test(line);
      const rank = (declares.test(line) && !/^\s*(\*|\/\/|#|import\b)/.test(line) ? 2 : 0) + (whole ? 1 : 0);
      const around = lines.slice(at, at + (rank > 1 ? 8 : 1)).map((each) => `  ${each.slice(0, most.line)}`);
      hits.push({ rank, text: `${shownIn(of, file)}:${at + 1}\n${around.join("\n")}` });
    });
  }
  const best = hits.toSorted((left, right) => right.rank - left.rank).slice(0, most.hits);
  const left = hits.length - best.length;
  const told = best.map(({ text }) => text);
  return cut([...told, ...(left > 0 ? [`(${left} more places)`] : [])].join("\n") || "Nothing says so.", most.text);
}
