// Calls that cost nothing are noted beside the file of money: opening that, and flushing it, would take longer than they
// do. Whoever asks for the bill takes them in.
import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { anyError, hasCode, withFallback } from "../../base/fallback.ts";
import { notAFile, readRegular } from "../files/regular.ts";
import type { SpendRow } from "./spend.ts";

const noted = "calls.jsonl";
const taken = /^calls-[0-9a-f-]+\.jsonl$/;
/** From this size on they are taken in without being asked for. */
const largeBytes = 4 * 1024 * 1024;

/** Answers whether there are so many that they should be taken in. */
export function noteUnpaid(folder: string, rows: readonly SpendRow[]): boolean {
  const file = path.join(folder, noted);
  try {
    setAside(file);
    appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), { mode: 0o600 });
    return statSync(file).size > largeBytes;
  } catch (error) {
    // A full disk or a folder of somebody else's is told by what must be kept; these calls stand in their session, too.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

/** Each file under a name of its own, which `take` must remember: after a crash it is offered again. */
export function takeUnpaid(folder: string, take: (name: string, rows: readonly SpendRow[]) => void): void {
  moveAside(folder);
  for (const name of readdirSync(folder).filter((each) => taken.test(each))) {
    const file = path.join(folder, name);
    if (setAside(file)) continue;
    take(name, readRegular(file).split("\n").flatMap(rowOf));
    rmSync(file, { force: true });
  }
}

/** A pipe would be waited for, and nothing else that is no file can be written either. These notes can be missed. */
function setAside(file: string): boolean {
  if (notAFile(file) === undefined) return false;
  renameSync(file, `${file}.broken-${Date.now()}`);
  return true;
}

function moveAside(folder: string): void {
  withFallback(undefined, hasCode("ENOENT"), () =>
    renameSync(path.join(folder, noted), path.join(folder, `calls-${randomUUID()}.jsonl`)),
  );
}

/** A line that a crash has torn, or that is no call, says nothing. */
const rowOf = (line: string): SpendRow[] =>
  withFallback([], anyError, () => {
    const row: unknown = line === "" ? undefined : JSON.parse(line);
    return isRow(row) ? [row] : [];
  });

const texts = ["session", "project", "task", "agent", "model"];
const counts = ["at", "turn", "round", "input", "cacheRead", "cacheWrite", "output", "reasoning", "ms"];

function isRow(row: unknown): row is SpendRow {
  if (typeof row !== "object" || row === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...row };
  const { micro, origins, latency } = fields;
  return (
    texts.every((name) => typeof fields[name] === "string") &&
    counts.every((name) => Number.isSafeInteger(fields[name])) &&
    (micro === null || Number.isSafeInteger(micro)) &&
    typeof origins === "object" &&
    origins !== null &&
    (latency === undefined || isLatency(latency))
  );
}

const isLatency = (latency: unknown): boolean =>
  typeof latency === "object" &&
  latency !== null &&
  ["firstMs", "ms"].every((name) => Number.isSafeInteger((latency as Record<string, unknown>)[name]));
