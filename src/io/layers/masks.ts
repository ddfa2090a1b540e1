// Files that commands may not read, as a layer of their own over a folder: it follows a rename, as a mount would not.
import { chmodSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import path from "node:path";
import { isFile } from "./look.ts";
import type { MaskedFile } from "./spec.ts";

/**
 * A folder with what is shown of the masked files below `model`, at their places; undefined where there are none. There is
 * one for each set, as others may be mounted. `root` takes them.
 */
export function maskFolder(root: string, model: string, masked: readonly MaskedFile[]): string | undefined {
  const inside = masked.filter(({ path: file }) => file.startsWith(`${model}/`) && isFile(file));
  if (inside.length === 0) return undefined;
  const digest = createHash("sha256")
    .update(JSON.stringify([model, inside]))
    .digest("hex")
    .slice(0, 16);
  const folder = path.join(root, digest);
  const files = path.join(folder, "files");
  if (existsSync(path.join(folder, ".made"))) return files;
  for (const { path: file, shown = "" } of inside) mask(files, path.relative(model, file), { model, shown });
  writeFileSync(path.join(folder, ".made"), "");
  return files;
}

/** The folders on the way must look as they do below: what is on top is what a command sees. */
function mask(files: string, file: string, { model, shown }: { model: string; shown: string }): void {
  const parts = file.split("/");
  for (let count = 0; count < parts.length; count++) {
    const folder = path.join(files, ...parts.slice(0, count));
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true });
    looksLike(folder, path.join(model, ...parts.slice(0, count)));
  }
  const place = path.join(files, ...parts);
  writeFileSync(place, shown);
  looksLike(place, path.join(model, file));
}

/** With its rights and times. */
export function looksLike(place: string, model: string): void {
  const stats = statSync(model, { throwIfNoEntry: false });
  if (!stats) return;
  chmodSync(place, stats.mode & 0o777);
  utimesSync(place, stats.atime, stats.mtime);
}
