// The statements by which a user's signing keys follow each other: one list per user, a copy beside each ledger.
import { existsSync, writeFileSync } from "node:fs";
import { readRegular } from "../files/regular.ts";
import { keysFile } from "./lines.ts";

/** Adds the lines that are missing beside the ledger in `folder`. */
export function tellHandovers(folder: string, lines: readonly string[]): void {
  const known = new Set(readHandovers(folder));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length > 0) appendHandovers(folder, missing);
}

export function readHandovers(folder: string): string[] {
  const file = keysFile(folder);
  return existsSync(file) ? readRegular(file).split("\n").filter(Boolean) : [];
}

export function appendHandovers(folder: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join("");
  writeFileSync(keysFile(folder), text, { flag: "a", mode: 0o600, flush: true });
}
