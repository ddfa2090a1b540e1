// Why a test is red before there is code: by its subject, which is what it has to show, or by itself and its surroundings.
import path from "node:path";
import { culprit } from "../healing/errors.ts";
import type { TestReport } from "./report.ts";

interface FailingTest {
  test: string;
  /** What the test says. */
  text: string;
  /** Files that the plan makes or changes, the tests left out. */
  subjects: readonly string[];
  /** Folder that reports name files in. */
  root: string;
}

export interface Red {
  kind: "assertion" | "missing";
  /** Names of the tests; none where the file could not be loaded. */
  failed: string[];
  /** In the framework's words. */
  why: string;
}

/** Every test that fails has to fail by the subject. Undefined: one fails for another reason, or cannot even be read. */
export function redBySubject(report: TestReport, around: FailingTest): Red | undefined {
  const bad = report.cases.filter(({ outcome }) => outcome !== "passed" && outcome !== "skipped");
  if (bad.length === 0) return lacking(report.detail, around) ? red("missing", [], report.detail) : undefined;
  const other = bad.filter(({ outcome }) => outcome !== "assertion");
  if (!other.every(({ detail }) => lacking(detail, around))) return undefined;
  const named = bad
    .filter(({ name, outcome }) => outcome !== "load" && name !== "" && !name.endsWith(around.test))
    .map(({ name }) => name);
  return red(other.length === 0 ? "assertion" : "missing", named, (other[0] ?? bad[0])?.detail ?? "");
}

const longestReason = 160;

function red(kind: Red["kind"], failed: string[], detail: string): Red {
  const lines = detail.split("\n").map((line) => line.trim());
  const telling = lines.find((line) => missing.test(line) || modules.some((pattern) => pattern.test(line)));
  return { kind, failed, why: (telling ?? lines.find((line) => line !== "") ?? "").slice(0, longestReason) };
}

/** A module that is not there: its name, and where the report says so who wants it. */
const modules: readonly RegExp[] = [
  /Cannot find (?:module|package) ['"]([^'"]+)['"](?: (?:imported )?from ['"]?([^\s'"]+))?/,
  /Failed to (?:resolve import|load url) "?([^\s"]+)"?(?: from "([^"]+)")?/,
  /No module named '([\w.]+)'/,
  /unresolved import `([\w:]+)`/,
  /file not found for module `(\w+)`/,
  /package ([\w./]+) (?:does not exist|is not in std)/,
  /no required module provides package ([\w./-]+)/,
];
/** A name that a module does not have, with the module. */
const exports: readonly RegExp[] = [
  /The requested module '([^']+)' does not provide an export named/,
  /cannot import name '[^']+' from '([\w.]+)'/,
  /cannot import name '[^']+' from partially initialized module '([\w.]+)'/,
  /module '([\w.]+)' has no attribute/,
  /Module '"([^"]+)"' has no exported member/,
  /No matching export in "([^"]+)"/,
  /"[^"]+" is not exported by "([^"]+)"/,
];
/** A member, a parameter, an option or a route that the subject does not have. */
const missing =
  /is not a (?:function|constructor)|Cannot (?:read|set) propert|Cannot destructure|is not iterable|has no attribute|got an unexpected keyword argument|takes .*positional arguments?|missing \d+ required|does not provide an export|cannot import name|no such option|unrecognized arguments?|unknown (?:option|argument|command|field|flag)|\bundefined: [\w.]+|has no field or method|(?:not enough|too many) arguments in call|error\[E0(?:061|405|407|412|422|423|425|432|433|531|560|599|609)\]|cannot find symbol|no method named|error TS(?:2305|2339|2345|2353|2551|2554|2559|2614|2724)\b|isn't defined for/i;
const unreadable = /\b(?:SyntaxError|IndentationError|TabError)\b|error TS1\d{3}\b|Transform failed|PARSE_ERROR/;

/** Whether the words of a failure say that something of the subject is not there yet, or was thrown within it. */
function lacking(detail: string, around: FailingTest): boolean {
  const lost = found(modules, detail);
  if (lost) return isOf(lost[1] ?? "", lost[2], around);
  const unexported = found(exports, detail);
  if (unexported) return isOf(unexported[1] ?? "", undefined, around);
  if (unreadable.test(detail)) return false;
  return (missing.test(detail) && !isForeign(detail, around)) || inSubject(detail, around);
}

/** A member of what the test takes from somewhere else. */
function isForeign(detail: string, around: FailingTest): boolean {
  const name = /([A-Za-z_]\w*)(?:\.\w+)* is not a (?:function|constructor)/.exec(detail)?.[1];
  if (name === undefined) return false;
  const taken = new RegExp(
    `import\\b[^;"']*\\b${name}\\b[^;"']*from\\s*["']([^"']+)["']|\\b${name}\\b[^;\\n]*\\brequire\\(["']([^"']+)["']`,
  ).exec(around.text);
  const from = taken?.[1] ?? taken?.[2];
  return from !== undefined && !from.startsWith(".") && !isOf(from, undefined, around);
}

function found(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return undefined;
}

const inSubject = (detail: string, { subjects, test, root }: FailingTest): boolean => {
  const place = culprit(detail, [...subjects, test], root);
  return place !== undefined && subjects.includes(place.file);
};

/** Whether a module is one that the plan makes or changes: by its path, or by the end of it behind an alias or a package. */
function isOf(name: string, importer: string | undefined, { test, subjects, root }: FailingTest): boolean {
  const plain = name.replace(/^file:\/\//, "");
  const given = (file: string) => subjects.some((subject) => isSame(file, subject));
  if (plain.startsWith("/")) return given(path.posix.relative(root, plain));
  if (/^\.\.?\//.test(plain)) {
    const from = importer === undefined ? test : path.posix.relative(root, path.posix.resolve(root, importer));
    return [from, test].some((file) => given(path.posix.join(path.posix.dirname(file), plain)));
  }
  const parts = plain
    .replace(ending, "")
    .split(/[./:]+/)
    .filter((part) => !["", "crate", "@", "~"].includes(part));
  // The package itself is there; what is not, lies within it.
  return subjects.some((subject) => forms(subject).some((form) => within(form.split("/"), parts)));
}

const ending = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|dart)$/;

const isSame = (file: string, subject: string): boolean =>
  forms(subject).some((form) => form === file || form === file.replace(ending, ""));

/** A file as imports call it: with its ending, without, and as the folder that it stands for. */
function forms(file: string): string[] {
  const plain = file.replace(ending, "");
  return [...new Set([file, plain, plain.replace(/\/(?:index|__init__|mod)$/, "")])];
}

/** `shop.sums` and `@/shop/sums` are of src/shop/sums, and `shop` is a package around it. */
function within(file: readonly string[], parts: readonly string[]): boolean {
  const ends = (tail: readonly string[]) =>
    tail.length > 0 && tail.every((part, at) => file.at(at - tail.length) === part);
  return ends(parts) || ends(parts.slice(1)) || (parts.length === 1 && file.includes(parts[0] ?? ""));
}
