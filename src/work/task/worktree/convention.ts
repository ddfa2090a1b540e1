// How this repository writes its commits, learned from the last of them: what most do, fettle does.
import { longestSubject } from "../machine/plan.ts";

export interface History {
  /** The last subjects, newest first, merges left out. */
  subjects: readonly string[];
  /** Subjects of merges. */
  merges: readonly string[];
  /** How many of the commits that were looked at are signed off, by whoever made them. */
  signedOff: number;
}

type Style = "conventional" | "gitmoji" | "component" | "ticket" | "plain";

export interface Convention {
  style: Style;
  /** Scopes or components that were used, the most frequent first. */
  scopes: readonly string[];
  /** A scope stands with most subjects. */
  scoped: boolean;
  /** The first letter behind a prefix. */
  lower: boolean;
  period: boolean;
  /** `:bug:` rather than the character. */
  codes: boolean;
  ticket: "ABC-1: " | "[ABC-1] " | "ABC-1 " | "#1: " | "#1 ";
  merge: "branch" | "named";
  signOff: boolean;
}

export const conventional =
  /^(feat|fix|chore|docs?|tests?|refactor|build|ci|perf|style|revert|deps)(?:\(([^)]+)\))?!?: (.*)$/i;
const gitmoji = /^(:[a-z0-9_+-]+:|\p{Extended_Pictographic}\u{fe0f}?)\s+(.*)$/u;
const ticket = /^(\[[A-Z][A-Z0-9]+-\d+\]|[A-Z][A-Z0-9]+-\d+:?|#\d+:?)\s+(.*)$/;
const component = /^([a-z0-9_.*{},-]+(?:\/[a-z0-9_.*{},-]+)*(?:, [a-z0-9_./-]+)*): (\S.*)$/i;

/** The order decides where one subject would fit two. */
const shapes: readonly [Exclude<Style, "plain">, RegExp][] = [
  ["conventional", conventional],
  ["gitmoji", gitmoji],
  ["ticket", ticket],
  ["component", component],
];

const styleOf = (subject: string): Style => shapes.find(([, shape]) => shape.test(subject))?.[0] ?? "plain";

/** Fewer plain subjects than these say nothing about letters and periods. */
const telling = 3;

const mostly = (list: readonly string[], fits: (each: string) => boolean): boolean =>
  list.length > 0 && list.filter(fits).length * 2 >= list.length;

export function learn({ subjects, merges, signedOff }: History): Convention {
  const style = shapes.find(([name]) => mostly(subjects, (subject) => styleOf(subject) === name))?.[0] ?? "plain";
  const own = subjects.filter((subject) => styleOf(subject) === style);
  const scopes = own.flatMap((subject) => scopeOf(style, subject) ?? []);
  const texts = style === "plain" && own.length < telling ? [] : own.map((subject) => textOf(style, subject));
  return {
    style,
    scopes: byFrequency(scopes),
    scoped: mostly(own, (subject) => scopeOf(style, subject) !== undefined),
    lower: mostly(texts, (text) => /^\p{Ll}/u.test(text)),
    period: mostly(texts, (text) => text.endsWith(".")),
    codes: own.some((subject) => subject.startsWith(":")),
    ticket: ticketForm(own),
    merge: mostly(merges, (subject) => /^Merge branch '/.test(subject)) ? "branch" : "named",
    signOff: signedOff * 2 > subjects.length + merges.length,
  };
}

function scopeOf(style: Style, subject: string): string | undefined {
  if (style === "conventional") return conventional.exec(subject)?.[2];
  return style === "component" ? component.exec(subject)?.[1] : undefined;
}

function textOf(style: Style, subject: string): string {
  const shape = shapes.find(([name]) => name === style)?.[1];
  return (shape ? shape.exec(subject)?.at(-1) : undefined) ?? subject;
}

function byFrequency(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]))
    .map(([name]) => name);
}

function ticketForm(subjects: readonly string[]): Convention["ticket"] {
  const [first = ""] = subjects.map((subject) => ticket.exec(subject)?.[1] ?? "").filter(Boolean);
  if (first.startsWith("[")) return "[ABC-1] ";
  if (first.startsWith("#")) return first.endsWith(":") ? "#1: " : "#1 ";
  return first.endsWith(":") || first === "" ? "ABC-1: " : "ABC-1 ";
}

export interface Change {
  kind: "feat" | "fix" | "refactor" | "docs" | "test";
  summary: string;
  /** What tells it from another commit of the same work; never cut. */
  suffix?: string;
  paths: readonly string[];
  /** `ABC-12` or `#12`, as the request names it. */
  ticket?: string;
}

const longest = longestSubject;
const emojis: Readonly<Record<Change["kind"], readonly [code: string, character: string]>> = {
  feat: [":sparkles:", "✨"],
  fix: [":bug:", "🐛"],
  refactor: [":recycle:", "♻️"],
  docs: [":memo:", "📝"],
  test: [":white_check_mark:", "✅"],
};

/** One line. */
export function subjectOf(convention: Convention, change: Change): string {
  const prefix = prefixOf(convention, change);
  const test = change.kind === "test" && convention.style !== "conventional" && convention.style !== "gitmoji";
  const text = `${test ? "Test: " : ""}${(change.summary.trim().split("\n")[0] ?? "").replace(/\.$/, "")}`;
  const cased = casedAs(convention, text);
  const { suffix = "" } = change;
  const whole = `${prefix}${cased}`;
  if (whole.length + suffix.length > longest) return `${shortened(whole, longest - suffix.length)}${suffix}`;
  return convention.period && whole.length + suffix.length < longest ? `${whole}${suffix}.` : `${whole}${suffix}`;
}

const leastClause = 24;

/** Its first clauses, where they say enough; else it is cut behind a word. The rest of what it says stands in the body. */
function shortened(text: string, most: number): string {
  const ends = [...text.slice(0, most + 2).matchAll(/[;,] | \(| [–—] /g)].map(({ index }) => index);
  const clause = ends.findLast((at) => at >= leastClause) ?? 0;
  if (clause > 0) return text.slice(0, clause);
  const end = text.lastIndexOf(" ", most - 1);
  return `${text.slice(0, end > most / 2 ? end : most - 1).replace(/[\s,;:]+$/, "")}…`;
}

/** A name that is written otherwise than a word stays as it is. */
function casedAs({ lower }: Convention, text: string): string {
  const plain = lower ? /^\p{Lu}\p{Ll}*(?=\s|$)/u : /^\p{Ll}+(?=\s|$)/u;
  if (!plain.test(text)) return text;
  const [first = ""] = text;
  return `${lower ? first.toLowerCase() : first.toUpperCase()}${text.slice(first.length)}`;
}

function prefixOf(convention: Convention, { kind, paths, ticket: named }: Change): string {
  switch (convention.style) {
    case "conventional": {
      const scope = convention.scoped ? knownScope(convention, paths) : undefined;
      return `${kind}${scope === undefined ? "" : `(${scope})`}: `;
    }
    case "gitmoji":
      return `${emojis[kind][convention.codes ? 0 : 1]} `;
    case "component":
      return `${knownScope(convention, paths) ?? folderOf(paths)}: `.replace(/^: /, "");
    case "ticket":
      return named === undefined ? "" : ticketText(convention.ticket, named);
    case "plain":
      return "";
  }
}

/** A name that the history uses and that stands in the path of what changes. */
function knownScope({ scopes }: Convention, paths: readonly string[]): string | undefined {
  const inPath = (scope: string, file: string) => {
    const parts = file.split("/").map((part) => part.replace(/\.[^.]*$/, ""));
    return parts.includes(scope) || `/${file}`.includes(`/${scope}/`);
  };
  return scopes.find((scope) => paths.some((file) => inPath(scope, file)));
}

function folderOf(paths: readonly string[]): string {
  const [first = ""] = paths.filter((file) => !/(?:^|\/)(?:tests?|spec|__tests__)\//.test(file));
  const folders = first
    .split("/")
    .slice(0, -1)
    .filter((part) => part !== "src" && part !== "lib");
  return folders.at(-1) ?? first.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}

function ticketText(form: Convention["ticket"], named: string): string {
  if (form === "[ABC-1] ") return `[${named}] `;
  return `${named}${form.endsWith(": ") ? ": " : " "}`;
}

/** A ticket that the words name; the number of an issue otherwise. */
export const ticketIn = (text: string, issue?: number): string | undefined =>
  /\b[A-Z][A-Z0-9]+-\d+\b/.exec(text)?.[0] ??
  /(?:^|\s)(#\d+)\b/.exec(text)?.[1] ??
  (issue === undefined ? undefined : `#${issue}`);

export const mergeSubject = ({ merge }: Convention, branch: string, base: string): string =>
  merge === "branch" ? `Merge branch '${branch}' into ${base}` : `Merge ${branch}`;
