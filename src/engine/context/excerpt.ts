// Pieces of texts and calls, for lines that stand for more.
import type { Json } from "../../protocol/message.ts";

const longestTarget = 100;
const targets = ["path", "file_path", "command", "pattern", "url", "query", "args", "job", "name"];

/** What a call is about, on one line: its path, command or pattern. */
export function targetOf(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const named = targets.map((name) => input[name]).find((value) => value !== undefined);
  const text = Array.isArray(named) ? named.join(" ") : typeof named === "string" ? named : "";
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestTarget ? `${line.slice(0, longestTarget - 1).toWellFormed()}…` : line;
}

/** At most about `most` bytes: two thirds of them from the head, the rest from the tail, `note` between them. */
export function cutMiddle(text: string, most: number, note: string): string {
  if (Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text);
  const head = Math.floor((most * 2) / 3);
  const tail = Math.max(0, most - head);
  const start = bytes
    .subarray(0, head)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  const end = bytes
    .subarray(bytes.length - tail)
    .toString("utf8")
    .replace(/^\uFFFD+/, "");
  return `${start}\n${note}\n${end}`;
}
