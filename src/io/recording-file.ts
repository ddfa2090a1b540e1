import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../base/fault.ts";
import { Exit } from "../protocol/exit.ts";

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
    refuseOther(target, file);
    try {
      writeFileSync(target, `${header}\n`, { mode: 0o600 });
    } catch (error) {
      throw unwritable(file, error);
    }
    opened.add(target);
  }
  return (line) => appendFileSync(target, `${line}\n`);
}

/** An older recording gives way; anything else that somebody wrote does not. */
function refuseOther(target: string, file: string): void {
  if (!existsSync(target)) return;
  let text: string;
  try {
    text = readFileSync(target, "utf8");
  } catch (error) {
    throw unwritable(file, error);
  }
  if (text.trim() === "" || text.startsWith('{"recording":')) return;
  throw new Fault(
    "recording.other",
    Exit.usage,
    `${file} is there and is no recording.`,
    "Name a file that is not there yet.",
  );
}

function unwritable(file: string, error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const problem = `The recording cannot be written to ${file} (${code}).`;
  return new Fault("recording.unwritable", Exit.usage, problem, "Name a file in a folder that you may write to.");
}
