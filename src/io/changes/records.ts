// The records of sessions, as folders: one is copied with its session, and removed with it or when it is old.
import { cpSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

export const forgetRecord = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export function copyRecord(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Of sessions that nothing was done in for a month. */
export function dropOldRecords(records: string): void {
  for (const name of readdirSync(records)) {
    const folder = path.join(records, name);
    const file = path.join(folder, "changes.jsonl");
    const old = existsSync(file) && statSync(file).mtimeMs < Date.now() - keptMs;
    if (old) forgetRecord(folder);
  }
}
