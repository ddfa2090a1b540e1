// Which folders of a layer hide what lies below them. overlayfs notes it in an extended attribute, which Node cannot
// read; GNU tar can, and writes it into the headers of an archive (pax records, POSIX.1-2001).
import { spawnSync } from "node:child_process";

const block = 512;
const attribute = "SCHILY.xattr.user.overlay.opaque";
/** Headers only: a folder takes three blocks. */
const most = 64 * 1024 * 1024;

/** Those of `folders` (relative to `upper`) that hide what lies below. Throws when tar cannot tell. */
export function opaqueFolders(upper: string, folders: readonly string[]): Set<string> {
  if (folders.length === 0) return new Set();
  const args = ["--create", "--file=-", "--format=posix", "--no-recursion", "--null", "--verbatim-files-from"];
  const named = ["--xattrs", "--xattrs-include=user.overlay.opaque", `--directory=${upper}`, "--files-from=-"];
  const run = spawnSync("tar", [...args, ...named], {
    input: folders.map((folder) => `./${folder}\0`).join(""),
    maxBuffer: most,
    env: { PATH: "/usr/bin:/bin:/usr/local/bin", LC_ALL: "C" },
  });
  if (run.status !== 0)
    throw new Error(`tar could not read a layer: ${String(run.stderr).trim() || run.error?.message}`);
  return opaqueIn(run.stdout);
}

/** Reads headers in order; a pax header tells of the entry that follows it. */
function opaqueIn(archive: Buffer): Set<string> {
  const found = new Set<string>();
  let more = new Map<string, string>();
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block);
    if (header[0] === 0) break;
    const size = Number.parseInt(header.toString("latin1", 124, 136), 8) || 0;
    const kind = String.fromCharCode(header[156] ?? 0);
    const content = archive.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
    if (kind === "x") {
      more = paxRecords(content);
      continue;
    }
    const name = more.get("path") ?? text(header, 0, 100);
    if (more.get(attribute)?.startsWith("y")) found.add(name.replace(/^\.\//, "").replace(/\/$/, ""));
    more = new Map();
  }
  return found;
}

const text = (bytes: Buffer, from: number, to: number): string => {
  const end = bytes.indexOf(0, from);
  return bytes.toString("utf8", from, end >= 0 && end < to ? end : to);
};

/** Each record is `LENGTH KEY=VALUE\n`, and the length counts all of it, in bytes. */
function paxRecords(content: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number.parseInt(content.toString("latin1", at, space), 10);
    if (!(length > 0) || space < 0) break;
    const record = content.toString("utf8", space + 1, at + length - 1);
    const cut = record.indexOf("=");
    found.set(record.slice(0, cut), record.slice(cut + 1));
    at += length;
  }
  return found;
}
