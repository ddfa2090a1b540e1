// Objects of a git repository, written without a process; each is what `git add` and `git write-tree` would write.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";

/** Answers its name. */
export function writeObject(gitDir: string, kind: "blob" | "tree" | "commit", content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const object = createHash("sha1").update(bytes).digest("hex");
  const folder = path.join(gitDir, "objects", object.slice(0, 2));
  const file = path.join(folder, object.slice(2));
  if (existsSync(file)) return object;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  putFile(file, deflateSync(bytes, { level: 1 }));
  return object;
}

/** All of it or nothing, whenever the process ends. */
export function putFile(file: string, content: string | Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
