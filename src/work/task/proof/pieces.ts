// The pieces of a change, each of which can be taken back by itself.
import type { FileDiff } from "../../../protocol/result.ts";

export interface Piece {
  path: string;
  /** Where it was, if it was moved. */
  from?: string;
  /** First line that it is at, and how many it has now; absent for a whole file. */
  lines?: { at: number; count: number; was: readonly string[] };
  created: boolean;
}

/** A file that is new, gone, moved or no text is one piece. */
export function piecesOf({ path, from, change, patch }: FileDiff): Piece[] {
  const whole = { path, created: change === "created", ...(from !== undefined && { from }) };
  if (change !== "modified" || patch === "") return [whole];
  const pieces: Piece[] = [];
  let at = 0;
  let open: { at: number; count: number; was: string[] } | undefined;
  for (const line of patch.split("\n")) {
    const header = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    // With no lines left it names the line before.
    if (header) at = Number(header[1]) + (header[2] === "0" ? 1 : 0);
    if (header || line.startsWith(" ")) open = undefined;
    if (line.startsWith(" ")) at += 1;
    if (!/^[+-]/.test(line)) continue;
    if (!open) {
      open = { at, count: 0, was: [] };
      pieces.push({ path, created: false, lines: open });
    }
    if (line.startsWith("-")) open.was.push(line.slice(1));
    else {
      open.count += 1;
      at += 1;
    }
  }
  return pieces;
}

/** The text as it is now, with these pieces of it as they were. */
export function withoutPieces(text: string, pieces: readonly Piece[]): string {
  const lines = text.split("\n");
  const fromBelow = pieces.flatMap((piece) => piece.lines ?? []).toSorted((left, right) => right.at - left.at);
  for (const { at, count, was } of fromBelow) lines.splice(at - 1, count, ...was);
  return lines.join("\n");
}

/** What only some tool reads is no remark. */
const directive =
  /eslint|oxlint|biome|prettier|@ts-|type:|noqa|pragma|pylint|mypy|istanbul|\bc8\b|\bv8\b|go:|\+build|^\s*#!|doctest|>>>/;

/** Only remarks for people differ, by how its lines begin; `text`: of the file as it is now. No test is to notice that. */
export function isRemark({ path, lines }: Piece, text: string): boolean {
  if (!lines) return false;
  const mark = /\.(?:py|rb|sh|bash|toml|ya?ml)$/.test(path)
    ? /^\s*(?:#|$)/
    : /\.(?:[cm]?[jt]sx?|go|java|kt|dart|swift)$/.test(path)
      ? /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|$)/
      : undefined;
  const all = text.split("\n");
  const now = all.slice(lines.at - 1, lines.at - 1 + lines.count);
  // Within a text of several lines nothing is a remark.
  const above = all.slice(0, lines.at - 1).join("\n");
  if (["`", '"""', "'''"].some((quote) => (above.split(quote).length - 1) % 2 === 1)) return false;
  return mark !== undefined && [...lines.was, ...now].every((line) => mark.test(line) && !directive.test(line));
}

export function pieceText({ path, lines, created }: Piece): string {
  if (!lines) return `${path} (${created ? "the new file" : "the whole file"})`;
  const { at, count } = lines;
  if (count === 0) return `${path}:${at} (lines taken out)`;
  return count === 1 ? `${path}:${at}` : `${path}:${at}-${at + count - 1}`;
}
