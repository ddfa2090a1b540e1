import { appendFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../base/fault.ts";

/** Rejects with Node's error. */
export const readRecordingFile = (file: string): Promise<string> => readFile(file, "utf8");

const opened = new Set<string>();

/**
 * Appends lines to a file that this process has started with `header`. Each line is handed to the system when the call
 * returns, so a recording survives whatever ends the run. Throws a Fault (exit 2) when the file cannot be made.
 */
export function recordingFile(file: string, header: string): (line: string) => void {
  const target = path.resolve(file);
  if (!opened.has(target)) {
    try {
      writeFileSync(target, `${header}\n`, { mode: 0o600 });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      throw new Fault("recording.unwritable", 2, `The recording cannot be written to ${file} (${code}).`);
    }
    opened.add(target);
  }
  return (line) => appendFileSync(target, `${line}\n`);
}
