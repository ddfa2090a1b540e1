// The patch format that coding models know: *** Begin Patch, Add / Update / Delete File, Move to, hunks, End Patch.

/** `place` as in base/hunks.ts: the lines of `old` and `new` each end in a newline. */
interface PatchHunk {
  old: string;
  new: string;
  place: { after: string[]; end?: boolean };
}
type PatchChange =
  | { op: "write"; path: string; content: string }
  | { op: "edit"; path: string; edits: PatchHunk[] }
  | { op: "delete"; path: string }
  | { op: "move"; path: string; to: string; edits: PatchHunk[] };

class PatchProblem extends Error {}

const begin = "*** Begin Patch";
const end = "*** End Patch";
const header = /^\*\*\* (Add|Update|Delete) File:(.*)$/;
const moveTo = /^\*\*\* Move to:(.*)$/;
const rangeHeader = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

interface Cursor {
  lines: string[];
  at: number;
}
const peek = (cursor: Cursor): string => cursor.lines[cursor.at] ?? end;
const isHeader = (line: string) => line.startsWith("*** ") && !line.startsWith("*** End of File");
const fail = (cursor: Cursor, text: string): never => {
  throw new PatchProblem(`Line ${cursor.at + 1} of the patch: ${text}`);
};

/** Never throws. A path occurs at most once in the changes. */
export function parsePatch(text: string): { changes: PatchChange[] } | { problem: string } {
  try {
    return { changes: parseChanges(frame(text)) };
  } catch (error) {
    if (error instanceof PatchProblem) return { problem: error.message };
    throw error;
  }
}

/** Cuts to what stands between the two marks; a heredoc or a code fence around them is tolerated. */
function frame(text: string): Cursor {
  const raw = text.split("\n");
  const marked = raw.map((line) => line.trim());
  const first = marked.indexOf(begin);
  if (first < 0) throw new PatchProblem(`The patch must start with the line "${begin}".`);
  // Among the lines of the files that it changes there may be one that looks like its end.
  const plain = raw.findLastIndex((line) => line.trimEnd() === end);
  const last = plain < 0 ? marked.lastIndexOf(end) : plain;
  if (last < first) throw new PatchProblem(`The patch has no line "${end}"; it may have been cut off.`);
  const lines = raw.slice(0, last);
  const carriage = lines.slice(first).every((line) => line.endsWith("\r"));
  return { lines: carriage ? lines.map((line) => line.replace(/\r$/, "")) : lines, at: first + 1 };
}

function parseChanges(cursor: Cursor): PatchChange[] {
  const changes: PatchChange[] = [];
  const seen = new Set<string>();
  while (cursor.at < cursor.lines.length) {
    const line = peek(cursor).trimEnd();
    if (line === "") {
      cursor.at += 1;
      continue;
    }
    const found = header.exec(line);
    if (!found) fail(cursor, `expected "*** Add File: PATH", "*** Update File: PATH" or "*** Delete File: PATH".`);
    const path = readPath(cursor, found?.[2] ?? "", seen);
    cursor.at += 1;
    if (found?.[1] === "Add") changes.push({ op: "write", path, content: addedContent(cursor) });
    else if (found?.[1] === "Delete") changes.push({ op: "delete", path });
    else changes.push(updatedFile(cursor, path, seen));
  }
  if (changes.length === 0) throw new PatchProblem("The patch names no file.");
  return changes;
}

function readPath(cursor: Cursor, text: string, seen: Set<string>): string {
  const path = text.trim();
  if (path === "" || path.includes("\0")) fail(cursor, "a path is missing.");
  const key = path.replace(/^(?:\.\/+)+/, "");
  if (seen.has(key)) fail(cursor, `${path} occurs twice; put all its hunks under one header.`);
  seen.add(key);
  return path;
}

function addedContent(cursor: Cursor): string {
  let content = "";
  for (; cursor.at < cursor.lines.length && !isHeader(peek(cursor)); cursor.at += 1) {
    const line = peek(cursor);
    if (line.startsWith("+")) content += `${line.slice(1)}\n`;
    else if (line.trim() !== "") fail(cursor, `every line of an added file starts with "+".`);
  }
  return content;
}

function updatedFile(cursor: Cursor, path: string, seen: Set<string>): PatchChange {
  const moved = moveTo.exec(peek(cursor).trimEnd());
  const to = moved ? readPath(cursor, moved[1] ?? "", seen) : undefined;
  if (moved) cursor.at += 1;
  const edits: PatchHunk[] = [];
  let above: string[] = [];
  while (cursor.at < cursor.lines.length && !isHeader(peek(cursor))) {
    if (peek(cursor).trim() === "" && nothingBefore(cursor)) break;
    const next = hunk(cursor, above);
    above = "above" in next ? next.above : [];
    if (!("above" in next)) edits.push(next);
  }
  if (to !== undefined) return { op: "move", path, to, edits };
  if (edits.length === 0) fail(cursor, `the update of ${path} has no hunk.`);
  return { op: "edit", path, edits };
}

/** Skips blank lines in front of a header or the end; true when only those were left. */
function nothingBefore(cursor: Cursor): boolean {
  let next = cursor.at;
  while (next < cursor.lines.length && cursor.lines[next]?.trim() === "") next += 1;
  if (next < cursor.lines.length && !isHeader(cursor.lines[next] ?? "")) return false;
  cursor.at = next;
  return true;
}

/** A hunk that only shows lines says where the next one stands: its lines are `above` that one. */
function hunk(cursor: Cursor, above: readonly string[]): PatchHunk | { above: string[] } {
  const after: string[] = [...above];
  for (; cursor.at < cursor.lines.length && peek(cursor).startsWith("@@"); cursor.at += 1) {
    const anchor = rangeHeader.test(peek(cursor))
      ? ""
      : peek(cursor)
          .slice(2)
          .replace(/@@\s*$/, "")
          .trim();
    if (anchor !== "") after.push(anchor);
  }
  const body = hunkBody(cursor);
  const lines = (signs: string) =>
    body.lines
      .filter((line) => signs.includes(line.sign))
      .map((line) => `${line.text}\n`)
      .join("");
  if (body.lines.every((line) => line.sign === " ")) {
    if (!peek(cursor).startsWith("@@")) fail(cursor, `a hunk has no "-" or "+" line.`);
    return { above: [...after, ...body.lines.map((line) => line.text.trim()).filter((line) => line !== "")] };
  }
  return { old: lines(" -"), new: lines(" +"), place: { after, ...(body.end ? { end: true } : {}) } };
}

function hunkBody(cursor: Cursor): { lines: { sign: string; text: string }[]; end: boolean } {
  const lines: { sign: string; text: string; bare?: boolean }[] = [];
  let atEnd = false;
  for (; cursor.at < cursor.lines.length && !atEnd; cursor.at += 1) {
    const line = peek(cursor);
    const sign = line.charAt(0);
    if (line.startsWith("*** End of File")) atEnd = true;
    else if (line.startsWith("@@") || isHeader(line)) break;
    else if (line === "") lines.push({ sign: " ", text: "", bare: true });
    else if (sign === " " || sign === "-" || sign === "+") lines.push({ sign, text: line.slice(1) });
    else if (sign !== "\\") fail(cursor, `a line of a hunk starts with " ", "-" or "+".`);
  }
  while (lines.at(-1)?.bare) lines.pop();
  return { lines, end: atEnd };
}
