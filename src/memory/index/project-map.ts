// The map of a project, made of what its index holds: nothing is read again, and no model is asked.
import nodePath from "node:path";
import type { Catalog } from "../../io/index/catalog.ts";
import { grammarOf } from "../../io/index/languages.ts";
import type { IndexUses } from "../../protocol/code-index.ts";
import type { MapFile } from "../../protocol/project-map.ts";
import type { Corpus } from "./files.ts";
import { packageOf } from "./packages.ts";

export interface MapWorld {
  catalog: Catalog;
  corpus: Corpus;
  root: number;
}

const mostExports = 200;

export function mapOf({ catalog, corpus, root }: MapWorld): MapFile[] {
  const summaries = catalog.summaries(root);
  const sizes = new Map(catalog.filesOf(root).map(({ path: file, size }) => [file, size]));
  const tests = testsOf(corpus);
  const packages = packagesOf(catalog, corpus, root);
  const pathsOf = (places: Iterable<number>) => [...places].map((at) => corpus.files[at]?.path ?? "").toSorted();
  return corpus.files.map(({ path: file, text, lines }, at) => ({
    path: file,
    kind: corpus.kinds[at] ?? "data",
    language: languageOf(file),
    bytes: sizes.get(file) ?? 0,
    lines,
    summary: summaries.get(text) ?? "",
    exports: text < 0 ? [] : each(catalog.exportsOf(text)).slice(0, mostExports),
    imports: pathsOf(corpus.imports.get(at) ?? []),
    packages: [...(packages.get(at) ?? [])].toSorted(),
    tests: pathsOf(tests.get(at) ?? []),
  }));
}

/** Of one file: what it says of itself, and its neighbours. */
export function aboutOf({ catalog, corpus }: Omit<MapWorld, "root">, path: string): IndexUses["about"] {
  const at = corpus.byPath.get(path);
  if (at === undefined) return undefined;
  const { files, kinds, imports } = corpus;
  const pathsOf = (places: Iterable<number>) => [...places].map((each) => files[each]?.path ?? "").toSorted();
  const users = [...imports].filter(([, targets]) => targets.has(at)).map(([from]) => from);
  const tests = testsOf(corpus).get(at) ?? new Set();
  return {
    summary: catalog.summaryOf(files[at]?.text ?? -1),
    imports: pathsOf(imports.get(at) ?? []),
    importedBy: pathsOf(users.filter((each) => kinds[each] !== "test")),
    tests: pathsOf(tests),
  };
}

/** A type and a value of one name are one export. */
const each = (exports: MapFile["exports"]): MapFile["exports"] =>
  exports.filter(({ name }, at) => exports.findIndex((other) => other.name === name) === at);

const languageOf = (file: string): string => {
  const ending = nodePath.extname(file).slice(1).toLowerCase();
  const grammar = grammarOf(file);
  if (grammar === "tsx") return "typescript";
  if (grammar === "cpp") return /^(?:c|h)$/.test(ending) ? "c" : "cpp";
  return grammar ?? (ending === "" ? nodePath.basename(file).toLowerCase() : ending);
};

/** Of each source the tests that import it, or are named for it and import nothing of the project. */
function testsOf({ files, kinds, imports, imported, subjects }: Corpus): Map<number, Set<number>> {
  const tests = new Map<number, Set<number>>();
  for (let at = 0; at < files.length; at++) {
    // What tests import is no test itself, but what they share.
    if (kinds[at] !== "test" || files[at]?.kind !== "parsed" || (imported[at] ?? 0) > 0) continue;
    const brought = imports.get(at) ?? new Set();
    for (const subject of brought.size > 0 ? brought : (subjects.get(at) ?? [])) {
      if (kinds[subject] !== "source" || files[subject]?.kind !== "parsed") continue;
      const found = tests.get(subject) ?? new Set();
      tests.set(subject, found.add(at));
    }
  }
  return tests;
}

function packagesOf(catalog: Catalog, corpus: Corpus, root: number): Map<number, Set<string>> {
  const own = ownNames(corpus);
  const packages = new Map<number, Set<string>>();
  for (const { text, target } of catalog.importsOf(root))
    for (const at of corpus.byText.of(text)) {
      const name = packageOf(corpus.files[at]?.path ?? "", target);
      if (name === undefined || own.has(name)) continue;
      const found = packages.get(at) ?? new Set();
      packages.set(at, found.add(name));
    }
  return packages;
}

/** What the project itself is called in imports: its folders and headers. */
function ownNames({ files, kinds }: Corpus): Set<string> {
  const names = new Set<string>();
  for (const [at, { path: file }] of files.entries()) {
    if (kinds[at] === "source" && /\.pyi?$/.test(file)) {
      for (const part of file.split("/").slice(0, -1)) names.add(part);
      names.add(nodePath.basename(file).replace(/\.pyi?$/, ""));
    }
    if (/\.h(?:h|pp|xx)?$/.test(file)) {
      const parts = file.split("/");
      for (let from = 0; from < parts.length; from++) names.add(parts.slice(from).join("/"));
    }
  }
  return names;
}
