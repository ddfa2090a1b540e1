// The record as a file: one line for each entry, appended. What was begun and never ended is read as what became of it.
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { isA, withFallback } from "../../base/fallback.ts";
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
  /** The command whose judged paths these are. */
  of?: string;
}

/** Written before a command that works on the workspace itself. */
interface Running {
  turn: number;
  running: string;
  startedAt: number;
  /** The checkpoint of just before it. */
  tree?: string;
}

/** A command that was cut off with its process, and its judged paths as they were before it. */
export interface CutOff extends Running {
  judged: Pick<Begun, "begun" | "before">[];
}

interface Ended {
  ended: string;
}

type Line = Entry | Begun | Running | Ended;

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

  /**
   * `now` answers what stands at a path; `active` are works that still go on; `found` is what became of commands that were
   * cut off.
   */
  entries(
    now: (at: string) => PathState,
    active: ReadonlySet<string>,
    found: ReadonlyMap<string, readonly Entry[]>,
  ): Entry[] {
    const lines = this.#lines();
    const ended = endedIn(lines);
    const over = (work: string) => ended.has(work) || active.has(work);
    return lines.flatMap((line): readonly Entry[] => {
      if ("ended" in line) return [];
      if ("running" in line) return over(line.running) ? [] : (found.get(line.running) ?? []);
      if (!("begun" in line)) return [line];
      return over(line.begun) || (line.of !== undefined && found.has(line.of)) ? [] : cutOff(line, now);
    });
  }

  /** Commands that were cut off, and of which nothing else is recorded yet. */
  cutOff(active: ReadonlySet<string>): CutOff[] {
    const lines = this.#lines();
    const ended = endedIn(lines);
    const open = lines.filter((line): line is Running => "running" in line && !ended.has(line.running));
    return open
      .filter(({ running }) => !active.has(running))
      .map((line) => ({
        ...line,
        judged: lines.filter(
          (each): each is Begun => "begun" in each && each.of === line.running && !ended.has(each.begun),
        ),
      }));
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

const endedIn = (lines: readonly Line[]): Set<string> =>
  new Set(lines.flatMap((line) => ("ended" in line ? [line.ended] : [])));

/** A line that was cut off counts as none. */
function parsed(line: string): Line[] {
  if (!line.endsWith("}")) return [];
  return withFallback([], isA(SyntaxError), () => [JSON.parse(line) as Line]);
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
