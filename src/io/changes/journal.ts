// The record as a file: one line for each entry, appended. What was begun and never ended is read as what became of it.
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { fileProblem } from "../files/problem.ts";
import { makePrivateFolder } from "../places/places.ts";
import type { Change, Entry } from "./plan.ts";
import { dropOldRecords } from "./records.ts";
import { type PathState, sameState } from "./state.ts";

/** What a path is to be once the work is done; of a file its content alone counts. */
export type Expected = Exclude<PathState, { kind: "file" | "other" }> | { kind: "file"; content: string };

/** Written before the work: a change that was cut off is fettle's all the same. */
interface Begun {
  turn: number;
  begun: string;
  before: [path: string, state: PathState][];
  expected: [path: string, state: Expected][];
  undo?: string;
}

interface Ended {
  ended: string;
}

type Line = Entry | Begun | Ended;

export class Journal {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, "changes.jsonl");
  }

  /** Throws a FileProblem where it cannot be kept. */
  append(lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    try {
      if (!existsSync(this.#folder)) {
        makePrivateFolder(this.#folder);
        dropOldRecords(path.dirname(this.#folder));
      }
      appendFileSync(this.#file, this.#isTorn() ? `\n${text}` : text, { mode: 0o600 });
    } catch (error) {
      throw fileProblem(error, this.#file);
    }
  }

  /** `now` answers what stands at a path; `active` are works that still go on. */
  entries(now: (at: string) => PathState, active: ReadonlySet<string>): Entry[] {
    const lines = this.#lines();
    const ended = new Set(lines.flatMap((line) => ("ended" in line ? [line.ended] : [])));
    return lines.flatMap((line): Entry[] => {
      if ("ended" in line) return [];
      if (!("begun" in line)) return [line];
      return ended.has(line.begun) || active.has(line.begun) ? [] : cutOff(line, now);
    });
  }

  #lines(): Line[] {
    if (!existsSync(this.#file)) return [];
    return readFileSync(this.#file, "utf8").split("\n").flatMap(parsed);
  }

  /** Killed, or out of room, while it wrote its last line. */
  #isTorn(): boolean {
    if (!existsSync(this.#file)) return false;
    const descriptor = openSync(this.#file, "r");
    try {
      const { size } = fstatSync(descriptor);
      const last = Buffer.alloc(1);
      return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A line that was cut off counts as none. */
function parsed(line: string): Line[] {
  if (!line.endsWith("}")) return [];
  try {
    return [JSON.parse(line) as Line];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Where the work came as far as what was wanted, it is fettle's change; anything else may be somebody else's. */
function cutOff({ turn, before, expected, undo }: Begun, now: (at: string) => PathState): Change[] {
  const wanted = new Map(expected);
  return before.flatMap(([at, was]): Change[] => {
    const is = now(at);
    if (sameState(was, is)) return [];
    const after: PathState = isExpected(is, wanted.get(at)) ? is : { kind: "other" };
    return [{ turn, path: at, before: was, after, ...(undo !== undefined && { undo }) }];
  });
}

function isExpected(is: PathState, wanted: Expected | undefined): boolean {
  if (wanted === undefined) return false;
  if (is.kind === "file") return wanted.kind === "file" && wanted.content === is.content;
  return wanted.kind !== "file" && sameState(is, wanted);
}
