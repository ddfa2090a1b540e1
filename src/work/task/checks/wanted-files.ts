// Files that a person's words about a result name: to change them is what they ask for, so it is not asked again.
import path from "node:path";
import { isDefinition, isTest } from "./definitions.ts";
import { isLockfile } from "../stacks/list.ts";
import { inside } from "../machine/plan.ts";

/** Words that may say the opposite. */
const leaves =
  /\b(?:not|no|never|without|except|besides|instead|leave|keep|untouched|revert|undo|nicht|kein\w*|nie|ohne|außer|statt|lass\w*)\b|n['’]t\b/i;
const pathLike = /(?<![\w./@-])(?:\.\/)?((?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*)(?![\w/-])/g;
const documents = /\.(?:md|mdx|rst|txt|adoc|markdown)$/;

/**
 * By their path, with or without the ending; by a name that only one file has; documents as people call them (README, changelog).
 * A new file only in a folder that is there, or, where it is called as a test is, beside the planned test. What says how checks run,
 * hidden files and lockfiles are asked for all the same, and so is all that a sentence names which may mean the opposite.
 */
export function wantedFiles(words: string, files: readonly string[], plannedTests: readonly string[] = []): string[] {
  const tree = treeOf(files, plannedTests);
  const found = words
    .split(/(?<=[.;!?])\s+|\n/)
    .filter((sentence) => !leaves.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(pathLike)].map(([, name = ""]) => name.replace(/\.+$/, "")))
    .flatMap((name) => named(name, tree) ?? []);
  return [...new Set(found)].filter(
    (file) =>
      inside(file) && !isDefinition(file) && !isLockfile(file) && !file.split("/").some((part) => part.startsWith(".")),
  );
}

interface Tree {
  files: readonly string[];
  folders: ReadonlySet<string>;
  testFolders: readonly string[];
}

function treeOf(files: readonly string[], tests: readonly string[]): Tree {
  const above = (file: string): string[] => file.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  const testFolders = [...new Set(tests.map((file) => path.posix.dirname(file)))];
  return { files, folders: new Set(files.flatMap(above)), testFolders };
}

function named(name: string, tree: Tree): string | undefined {
  const { files, folders } = tree;
  const deep = name.includes("/");
  if (files.includes(name)) return deep || name.includes(".") ? name : undefined;
  const beside = tree.testFolders.map((folder) => path.posix.join(folder, name));
  if (!/\.\w+$/.test(name)) return withoutEnding(name, tree);
  const same = deep ? [] : files.filter((file) => file.endsWith(`/${name}`));
  if (same.length === 1) return same[0];
  if (deep) return withoutEnding(name, tree) ?? (folders.has(path.posix.dirname(name)) ? name : undefined);
  const [only, ...others] = beside.filter((file) => isTest(file) && isTest(name));
  if (only !== undefined && others.length === 0 && (same.length === 0 || same.includes(only))) return only;
  return withoutEnding(name, tree);
}

/** The one file that is meant by a name whose ending is left out; a folder of that name may be meant as well. */
function withoutEnding(name: string, { files, folders, testFolders }: Tree): string | undefined {
  if (folders.has(name)) return undefined;
  const stem = (file: string) => file.slice(0, file.length - path.posix.extname(file).length);
  const only = (found: readonly string[]) => (found.length === 1 ? found[0] : undefined);
  if (name.includes("/")) return only(files.filter((file) => stem(file) === name));
  const tests = testFolders.flatMap((folder) => files.filter((file) => stem(file) === path.posix.join(folder, name)));
  if (/test|spec/i.test(name) && tests.length > 0) return only(tests.filter((file) => isTest(file)));
  // An ordinary word is no document: it stands in capitals, but for the two that everybody writes as they like.
  const exact = /^[A-Z][A-Z_-]{2,}$/.test(name) ? name : undefined;
  const called = (file: string) => {
    const own = path.posix.basename(stem(file));
    return (
      documents.test(file) &&
      (/^(?:readme|changelog)$/i.test(name) ? own.toLowerCase() === name.toLowerCase() : own === exact)
    );
  };
  const found = files.filter(called);
  return only(found.filter((file) => !file.includes("/"))) ?? only(found);
}
