// Unified hunks between two texts. The equal start and end are skipped first, so a small edit of a huge file is cheap.

interface LineDiff {
  added: number;
  removed: number;
  /** From the first `@@`, ended by a newline; empty when the texts do not differ. */
  patch: string;
}

const context = 3;
const patienceMs = 300;
const noNewline = "\\ No newline at end of file";

/** One text is empty: everything is added or removed. */
export function wholeDiff(before: string, after: string): LineDiff {
  if (before === after) return { added: 0, removed: 0, patch: "" };
  return hunk({ from: 0, old: split(before), next: split(after) }, [], []);
}

interface Changed {
  /** Lines before the change. */
  from: number;
  old: string[];
  next: string[];
}

/** Lines keep their newline, so that a missing last one shows. */
const split = (text: string): string[] => (text === "" ? [] : text.match(/[^\n]*\n|[^\n]+$/g)) ?? [];

export async function lineDiff(before: string, after: string): Promise<LineDiff> {
  if (before === after) return { added: 0, removed: 0, patch: "" };
  const start = sharedStart(before, after);
  const end = sharedEnd(before, after, start);
  const changed: Changed = {
    from: countLines(before, start),
    old: split(before.slice(start, before.length - end)),
    next: split(after.slice(start, after.length - end)),
  };
  const above = split(before.slice(backLines(before, start), start));
  const below = split(before.slice(before.length - end, forwardLines(before, before.length - end)));
  if (changed.old.length === 0 || changed.next.length === 0) return hunk(changed, above, below);
  return (await fineDiff(changed, above, below)) ?? hunk(changed, above, below);
}

/** Length of the equal start, up to the last line end in it. */
function sharedStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at === 0 ? 0 : left.lastIndexOf("\n", at - 1) + 1;
}

/** Length of the equal end that begins a line in both texts. */
function sharedEnd(left: string, right: string, start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let length = 0;
  while (length < most && left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length)) {
    length += 1;
  }
  while (length > 0) {
    const begins = (text: string) => text.length - length === start || text[text.length - length - 1] === "\n";
    if (begins(left) && begins(right)) return length;
    const next = left.indexOf("\n", left.length - length);
    length = next === -1 ? 0 : left.length - next - 1;
  }
  return 0;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function backLines(text: string, at: number): number {
  let from = at;
  for (let line = 0; line < context && from > 0; line += 1) from = text.lastIndexOf("\n", from - 2) + 1;
  return from;
}

function forwardLines(text: string, at: number): number {
  let to = at;
  for (let line = 0; line < context && to < text.length; line += 1) {
    const next = text.indexOf("\n", to);
    to = next === -1 ? text.length : next + 1;
  }
  return to;
}

/** The library finds what stayed between the first and the last change; undefined when that takes it too long. */
async function fineDiff(changed: Changed, above: string[], below: string[]): Promise<LineDiff | undefined> {
  const { structuredPatch } = await import("diff");
  const whole = (middle: string[]) => [...above, ...middle, ...below].join("");
  const found = structuredPatch("", "", whole(changed.old), whole(changed.next), "", "", {
    context,
    timeout: patienceMs,
  });
  if (!found) return undefined;
  const offset = changed.from - above.length;
  let added = 0;
  let removed = 0;
  const patch = found.hunks.map((each) => {
    added += each.lines.filter((line) => line.startsWith("+")).length;
    removed += each.lines.filter((line) => line.startsWith("-")).length;
    return `${header(each.oldStart + offset, each.oldLines, each.newStart + offset, each.newLines)}${each.lines.join("\n")}\n`;
  });
  return { added, removed, patch: patch.join("") };
}

function hunk({ from, old, next }: Changed, above: string[], below: string[]): LineDiff {
  const around = above.length + below.length;
  const place = (count: number) => from - above.length + (count === 0 ? 0 : 1);
  const lines = [
    ...above.map((line) => ` ${line}`),
    ...old.map((line) => `-${line}`),
    ...next.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ].map((line) => (line.endsWith("\n") ? line : `${line}\n${noNewline}\n`));
  const sizes = [old.length + around, next.length + around] as const;
  const head = header(place(sizes[0]), sizes[0], place(sizes[1]), sizes[1]);
  return { added: next.length, removed: old.length, patch: head + lines.join("") };
}

function header(oldStart: number, oldLines: number, newStart: number, newLines: number): string {
  const range = (start: number, lines: number) => (lines === 1 ? `${start}` : `${start},${lines}`);
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n`;
}
