// The files of one root as ranking sees them: words of their paths, what they are, what they import and test.
import path from "node:path";
import { wordsOf } from "../../base/code-words.ts";
import type { Catalog } from "../../io/index/catalog.ts";
import type { RankedFile } from "../../io/index/schema.ts";
import { resolvedImports } from "./imports.ts";

export interface Corpus {
  files: readonly RankedFile[];
  /** Places in `files` by the number of their text. */
  byText: ByText;
  byPath: ReadonlyMap<string, number>;
  /** Places in `files` by the file's own name without its ending, in lower case. */
  byName: ReadonlyMap<string, readonly number[]>;
  /** Places in `files` by a word of the path; a negative count stands for the file's own name. */
  pathWords: ReadonlyMap<string, readonly { at: number; own: boolean }[]>;
  kinds: readonly ("source" | "test" | "document" | "generated" | "build" | "data")[];
  /** How many files import each. */
  imported: Float64Array;
  /** Which files each file imports. */
  imports: ReadonlyMap<number, ReadonlySet<number>>;
  /** What each file imports, and what imports it. */
  near: ReadonlyMap<number, readonly number[]>;
  /** From tests and documents to what they are about. */
  subjects: ReadonlyMap<number, readonly number[]>;
  average: { code: number; comment: number; name: number };
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|fixtures?|testdata|__mocks__|benchmarks?|bench)\/|[._-](?:test|spec|bench)\.[^/]+$|(?:^|\/)test_[^/]+$|_test\.[^/.]+$|(?:^|\/)conftest\.py$|Tests?\.(?:java|cs|php)$/;
const documentPath =
  /(?:^|\/)(?:licen[cs]e|copying|history|changes|changelog|readme|authors|contributing|news|notice|upgrading|security)(?:\.(?:md|rst|txt|markdown))?$|\.(?:md|mdx|markdown|rst|adoc|txt|html?)$|(?:^|\/)(?:docs?|examples?|samples?|demos?|man|man-?pages|changelogs?)\/|\.[1-9](?:\.in)?$/i;
const translationPath =
  /\.(?:po|pot|mo|ts\.qm|arb|strings|xlf|xliff)$|(?:^|\/)(?:locales?|i18n|lang|langs|translations?|l10n)\/.*(?:^|\/)[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?(?:\/|\.[a-z]+$)/i;
/** What a build has left, where ignore rules do not name it. */
const builtPath =
  /(?:^|\/)(?:dist|umd|amd|cjs|esm|client-dist|vendor|third_party|_vendor)\/|^(?:build|out|target|built)\/|(?:^|\/)(?:ltmain\.sh|config\.(?:guess|sub)|install-sh|depcomp|aclocal\.m4|(?:tap|test)-driver(?:\.sh)?|libtool\.m4|configure)$/;
/** Sources, templates and what builds them: everything else that has words is data. */
const codePath =
  /\.(?:[mc]?[jt]sx?|vue|svelte|astro|py[xiw]?|pxd|go|rs|rb|erb|rake|gemspec|java|kt|kts|scala|groovy|clj[cs]?|php\d?|phtml|inc|twig|blade|c|h|cc|cpp|cxx|c\+\+|hh|hpp|hxx|ipp|inl|tcc|m|mm|cs|fs|vb|swift|dart|lua|pl|pm|t|sh|bash|zsh|fish|ps1|psm1|bat|cmd|sql|proto|thrift|graphql|gql|ex|exs|erl|hrl|hs|lhs|ml|mli|elm|nim|zig|jl|r|sol|s|asm|f|f90|f95|d|pas|tcl|el|lisp|scm|rkt|vala|css|scss|sass|less|styl|qml|awk|y|l|g4|tf|hcl|nix|cu|glsl|vert|frag|wgsl|v|sv|vhd)$/i;
const buildPath =
  /\.(?:in|am|ac|m4|cmake|mk|gradle|bazel|bzl|html?|xhtml|tmpl|tpl|j2|jinja2?|hbs|mustache|ejs|pug|haml|slim)$|(?:^|\/)(?:Makefile|Dockerfile|CMakeLists\.txt|Rakefile|Gemfile|Jenkinsfile|BUILD|WORKSPACE|Procfile|configure)[^/]*$/;
const dataPath = /\.(?:json|ya?ml|toml|lock|csv|tsv|xml|svg|cfg|ini|po|snap)$|(?:^|\/)\.[^/]*$/i;

/** A text is nearly always one file's: a number for it is found faster than a list. */
export class ByText {
  readonly #first: Int32Array;
  readonly #shared = new Map<number, number[]>();

  constructor(files: readonly RankedFile[]) {
    const largest = files.reduce((most, { text }) => Math.max(most, text), -1);
    this.#first = new Int32Array(largest + 1).fill(-1);
    for (const [at, { text }] of files.entries()) {
      if (text < 0) continue;
      const first = this.#first[text] ?? -1;
      const shared = this.#shared.get(text);
      if (shared) shared.push(at);
      else if (first >= 0) {
        this.#shared.set(text, [first, at]);
        this.#first[text] = -2;
      } else this.#first[text] = at;
    }
  }

  /** The file of this text; -1: none; -2: several, in `of`. */
  one(text: number): number {
    return this.#first[text] ?? -1;
  }

  of(text: number): readonly number[] {
    const first = this.one(text);
    return first >= 0 ? [first] : (this.#shared.get(text) ?? []);
  }
}

export function readCorpus(catalog: Catalog, root: number): Corpus {
  const files = catalog.rankedFiles(root);
  const byText = new ByText(files);
  const byPath = new Map<string, number>();
  const pathWords = new Map<string, { at: number; own: boolean }[]>();
  const byName = new Map<string, number[]>();
  const sums = { code: 0, comment: 0, name: 0 };
  for (const [at, file] of files.entries()) {
    byPath.set(file.path, at);
    const named = byName.get(bareName(file.path));
    if (named) named.push(at);
    else byName.set(bareName(file.path), [at]);
    for (const field of ["code", "comment", "name"] as const) sums[field] += file[field];
    addPathWords(pathWords, file.path, at);
  }
  const count = Math.max(1, files.length);
  const average = { code: sums.code / count, comment: sums.comment / count, name: sums.name / count };
  const kinds = files.map(kindOf);
  const imports = resolvedImports(catalog, root, { files, byText, byPath });
  const imported = new Float64Array(files.length);
  for (const targets of imports.values()) for (const target of targets) imported[target] = (imported[target] ?? 0) + 1;
  const subjects = subjectsOf(files, kinds, imports);
  const near = nearOf(imports);
  return { files, byText, byPath, byName, pathWords, kinds, imported, imports, near, subjects, average };
}

function nearOf(imports: ReadonlyMap<number, ReadonlySet<number>>): Map<number, number[]> {
  const near = new Map<number, number[]>();
  const join = (from: number, to: number) => {
    const found = near.get(from);
    if (found) found.push(to);
    else near.set(from, [to]);
  };
  for (const [at, targets] of imports)
    for (const target of targets) {
      join(at, target);
      join(target, at);
    }
  return near;
}

export const bareName = (file: string): string =>
  path
    .basename(file)
    .replace(/\.[^.]*$/, "")
    .toLowerCase();

function addPathWords(into: Map<string, { at: number; own: boolean }[]>, file: string, at: number): void {
  const seen = new Set<string>();
  const add = (text: string, own: boolean) => {
    for (const word of wordsOf(text)) {
      if (seen.has(word)) continue;
      seen.add(word);
      const found = into.get(word);
      if (found) found.push({ at, own });
      else into.set(word, [{ at, own }]);
    }
  };
  add(path.basename(file).replace(/\.[^.]*$/, ""), true);
  add(path.dirname(file), false);
}

function kindOf({ path: file, kind }: RankedFile): Corpus["kinds"][number] {
  if (kind === "generated" || builtPath.test(file)) return "generated";
  if (testPath.test(file)) return "test";
  if (translationPath.test(file)) return "data";
  if (documentPath.test(file) && !/CMakeLists\.txt$/.test(file)) return "document";
  if (codePath.test(file)) return "source";
  if (dataPath.test(file)) return "data";
  return buildPath.test(file) || !path.basename(file).includes(".") ? "build" : "data";
}

/** What a test is about: the file of its name, else what it alone imports. */
function subjectsOf(
  files: readonly RankedFile[],
  kinds: Corpus["kinds"],
  imports: ReadonlyMap<number, ReadonlySet<number>>,
) {
  const byName = new Map<string, number[]>();
  const bare = (file: string) =>
    path
      .basename(file)
      .replace(/\.[^.]*$/, "")
      .replace(/^test_|[._-](?:test|spec|bench)$|_test$|Tests?$/g, "")
      .toLowerCase();
  for (const [at, { path: file }] of files.entries())
    if (kinds[at] === "source") byName.set(bare(file), [...(byName.get(bare(file)) ?? []), at]);
  const subjects = new Map<number, number[]>();
  for (const [at, { path: file }] of files.entries()) {
    if (kinds[at] !== "test" && kinds[at] !== "document") continue;
    const named = byName.get(bare(file)) ?? [];
    const brought = [...(imports.get(at) ?? [])].filter((each) => kinds[each] === "source");
    const all = named.length > 0 && named.length <= 3 ? named : brought.slice(0, 6);
    if (all.length > 0) subjects.set(at, all);
  }
  return subjects;
}
