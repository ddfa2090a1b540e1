// Reads what `git diff-tree -r -p --raw --numstat` prints.
import type { FileDiff } from "../../protocol/result.ts";
import { type RawPath, shown } from "./raw-path.ts";

export interface RawChange {
  status: string;
  /** Mode of the old side; zeros when the path is new. */
  before: string;
  /** Mode and object of the new side; zeros when the path is deleted. */
  mode: string;
  object: string;
  path: RawPath;
}

/** Of `diff-tree -r -z --raw --no-renames`. */
export function parseRaw(out: Buffer): RawChange[] {
  const fields = out.toString("latin1").split("\0");
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", mode = "", , object = "", status = ""] = (fields[at] ?? "").split(" ");
    changes.push({ status: status.charAt(0), before: before.slice(1), mode, object, path: fields[at + 1] ?? "" });
  }
  return changes;
}

const kinds: Record<string, FileDiff["change"]> = { A: "created", D: "deleted", R: "moved" };

/** All three parts come in the same order; names in the raw part are quoted as in C. */
export function parseDiff(out: Buffer): FileDiff[] {
  const text = out.toString("latin1");
  const start = text.startsWith("diff --git ") ? 0 : text.indexOf("\ndiff --git ") + 1;
  const lines = (start > 0 ? text.slice(0, start) : text).split("\n");
  const raws = lines.filter((line) => line.startsWith(":"));
  const counts = lines.filter((line) => /^[\d-]+\t/.test(line));
  const sections = start > 0 ? text.slice(start).split(/\n(?=diff --git )/) : [];
  let section = 0;
  return raws.map((raw, index) => {
    const [head = "", ...names] = raw.split("\t");
    const status = (head.split(" ")[4] ?? "M").charAt(0);
    // A file that became a link (or the reverse) is printed as a deletion and a creation.
    const width = status === "T" ? 2 : 1;
    const patch = sections
      .slice(section, section + width)
      .map(hunks)
      .join("");
    section += width;
    const [added = "0", removed = "0"] = (counts[index] ?? "").split("\t");
    const [first = "", second] = names.map((name) => shown(unquoted(name)));
    return {
      path: second ?? first,
      change: kinds[status] ?? "modified",
      ...(second !== undefined && { from: first }),
      added: Number.parseInt(added, 10) || 0,
      removed: Number.parseInt(removed, 10) || 0,
      patch,
    };
  });
}

function hunks(section: string): string {
  const start = section.indexOf("\n@@ ");
  if (start < 0) return "";
  const text = shown(section.slice(start + 1));
  return text.endsWith("\n") ? text : `${text}\n`;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

function unquoted(name: string): RawPath {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    );
}
