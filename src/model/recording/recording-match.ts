// Whether a request is the one that was recorded: what differs between two runs of the same work is left out, all else
// counts, and the first difference is told.

/** One message of what a request ends with. */
export interface TailPart {
  role: string;
  text: string;
}

/** In this order. docs/guide/recordings.md lists them. */
const harmless: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/«secret:([a-z-]{1,40}):[0-9a-f]{10}»/g, "«secret:$1»"],
  [/(?<![\w.]|:[/\\])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}[/\\]?/g, (found) => pathName(found)],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[ ]?[+-]\d{2}:?\d{2})?)?/g, "«time»"],
  [
    /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}\b/g,
    "«time»",
  ],
  [/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d{2,5}\b/g, "$1:«number»"],
  [/\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g, "«time»"],
  [/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds?|minutes?|min|m)\b/gi, "«duration»"],
  [/\b\d+m\d+(?:[.,]\d+)?s\b/g, "«duration»"],
  [/\b(duration|duration_ms|elapsed|took)(["']?[:= ]{1,3})\d+(?:\.\d+)?\b/gi, "$1$2«duration»"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "«id»"],
  [/\b(?:call|toolu|chatcmpl|msg|resp)[_-][\w-]{6,}/g, "«id»"],
  [/\b\d{8}-[0-9a-f]{6}\b/g, "«id»"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "«id»"],
  [/\b1[5-9]\d{8}(?:\d{3})?\b/g, "«time»"],
  [/\b(pid|port|process)\b(\W{1,3})\d+/gi, "$1$2«number»"],
];

/** Folders are where a run happened to be; the file is what it was about. */
const pathName = (found: string): string => {
  const file = /[/\\]([\w@+~-][\w.@+~-]*\.\w{1,8})$/.exec(found)?.[1];
  return file === undefined ? "«path»" : `«path»/${file}`;
};

/** The same for two runs of the same work. Line ends and runs of blanks are no difference, indentation is. */
export function settled(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/(\S)[ \t]+/g, "$1 ").trimEnd());
  const first = lines.findIndex((line) => line !== "");
  let left = first < 0 ? "" : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1).join("\n");
  for (const [pattern, by] of harmless)
    left = typeof by === "string" ? left.replace(pattern, by) : left.replace(pattern, by);
  return left;
}

/** The first thing in which what is asked differs from what was recorded, in words. */
export function firstDifference(recorded: readonly TailPart[], asked: readonly TailPart[]): string | undefined {
  for (const [index, was] of recorded.entries()) {
    const now = asked[index];
    const where = `message ${index + 1} of ${recorded.length}`;
    if (!now) return `${where} (${was.role}) is missing; it was "${excerpt(was.text)}"`;
    if (was.role !== now.role) return `${where} is of ${now.role}, and was of ${was.role}`;
    const line = firstLine(settled(was.text).split("\n"), settled(now.text).split("\n"));
    if (line) return `${where} (${was.role}), ${line}`;
  }
  const more = asked[recorded.length];
  return more && `there is one message more (${more.role}): "${excerpt(more.text)}"`;
}

function firstLine(was: readonly string[], now: readonly string[]): string | undefined {
  const at = Array.from({ length: Math.max(was.length, now.length) }, (_, index) => index).find(
    (index) => was[index] !== now[index],
  );
  if (at === undefined) return undefined;
  const told = (line: string | undefined, other: string | undefined) =>
    line === undefined ? "nothing" : `"${aroundDifference(line, other ?? "")}"`;
  return `line ${at + 1}: expected ${told(was[at], now[at])}, but it is ${told(now[at], was[at])}`;
}

const shown = 120;

/** The part of a long line in which it differs. */
function aroundDifference(line: string, other: string): string {
  if (line.length <= shown) return line;
  let at = 0;
  while (at < line.length && line[at] === other[at]) at += 1;
  const from = Math.max(0, Math.min(at - shown / 3, line.length - shown));
  return `${from > 0 ? "…" : ""}${line.slice(from, from + shown)}${from + shown < line.length ? "…" : ""}`;
}

const excerpt = (text: string): string => {
  const line = settled(text).replace(/\s+/g, " ");
  return line.length > shown ? `${line.slice(0, shown)}…` : line;
};
