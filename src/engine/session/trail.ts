// What a turn has come by so far, folded from its facts: the same after a crash, and untouched by a rewind.
import { sha256 } from "../../base/digest.ts";
import type { StoredFact } from "../../protocol/event.ts";
import type { CallContent, Json } from "../../protocol/message.ts";
import type { FileDiff, Result } from "../../protocol/result.ts";
import { runnableCalls } from "./conversation.ts";
import { type Counts, noCounts } from "../loops/counts.ts";
import { errorSignature, errorSummary, settledText } from "../loops/error-signature.ts";
import { isHint } from "../loops/hints.ts";
import { meet, newRecurrence, type Recurrence } from "../loops/recurrence.ts";
import { nearlySame, wordsOf } from "../loops/same-text.ts";
import { textIn } from "../../base/text-in.ts";

interface FileTrail {
  contents: Set<string>;
  /** From which content to which. */
  changes: Recurrence;
}

/** A command that fails, and what was tried against it. */
interface ErrorTrail {
  key: string;
  changed: Set<string>;
  attempts: Map<string, number>;
}

interface MadeCall {
  id: string;
  name: string;
  key: string;
  /** Not made before in this turn. */
  first: boolean;
}

export interface Trail {
  counts: Counts;
  /** As they were when the model was last asked, or told of them. */
  before: Counts;
  /** For each call of the newest answer, in its order: the how manieth in a row it is. */
  streaks: number[];
  /** What the counts are about, for people. */
  about: { call: string; failure: string; file: string; error: string; text: string };
  readonly seen: Set<string>;
  readonly calls: Set<string>;
  newest: MadeCall[];
  said: string[];
  readonly files: Map<string, FileTrail>;
  readonly errors: Map<string, ErrorTrail>;
}

export const newTrail = (): Trail => ({
  counts: { ...noCounts },
  before: { ...noCounts },
  streaks: [],
  about: { call: "", failure: "", file: "", error: "", text: "" },
  seen: new Set(),
  calls: new Set(),
  newest: [],
  said: [],
  files: new Map(),
  errors: new Map(),
});

/** Nothing of before it counts any more. */
export const beginsTrail = (fact: StoredFact): boolean =>
  fact.type === "turn.started" || (fact.type === "prompt.joined" && fact.origin !== "agent");

/** Mutates `trail`, or begins a new one: a person's word, or a new turn, makes whatever follows worth trying. */
export function followed(trail: Trail, fact: StoredFact): Trail {
  if (beginsTrail(fact)) return newTrail();
  if (fact.type === "note.added" && isHint(fact.text)) trail.before = { ...trail.counts };
  if (fact.type === "round.ended") answered(trail, fact);
  if (fact.type === "call.ended") resulted(trail, fact.call, fact.result);
  return trail;
}

type Answer = Pick<Extract<StoredFact, { type: "round.ended" }>, "content" | "finish">;

function answered(trail: Trail, { content, finish }: Answer): void {
  if (finish !== "calls" && finish !== "stop") return;
  trail.before = { ...trail.counts };
  const calls = runnableCalls(content, finish);
  const last = trail.newest.at(-1)?.key ?? "";
  trail.streaks = [];
  const made = calls.map((call): MadeCall => {
    const key = callKey(call);
    return { id: call.id, name: call.name, key, first: !trail.calls.has(key) };
  });
  said(
    trail,
    textIn(content, "\n"),
    made.some(({ first }) => first),
  );
  if (made.length === 0) return;
  let previous = last;
  for (const [index, { key }] of made.entries()) {
    trail.counts.call = key === previous ? trail.counts.call + 1 : 1;
    trail.streaks.push(trail.counts.call);
    trail.calls.add(key);
    previous = key;
    const call = calls[index];
    if (call) trail.about.call = callText(call);
  }
  trail.newest = made;
  trail.counts.idle += 1;
  trail.counts.failing += 1;
}

function said(trail: Trail, text: string, newCalls: boolean): void {
  const words = wordsOf(text);
  if (words.length === 0) return;
  trail.counts.text = !newCalls && nearlySame(words, trail.said) ? trail.counts.text + 1 : 1;
  trail.said = words;
  trail.about.text = oneLine(text);
}

function resulted(trail: Trail, id: string, result: Result): void {
  const call = trail.newest.find((each) => each.id === id);
  if (!call) return;
  const text = result.parts.map((part) => (part.type === "text" ? part.text : part.data)).join("\n");
  if (result.status === "done") trail.counts.failing = 0;
  else trail.about.failure = oneLine(text);
  const fresh = brings(trail, call, result, text);
  if (failedRun(result)) failed(trail, call.key, text);
  else if (result.status === "done") trail.errors.delete(call.key);
  trail.counts.error = mostAttempts(trail);
  if (!fresh) return;
  trail.counts.idle = 0;
  trail.counts.text = Math.min(trail.counts.text, 1);
  if (call === trail.newest.at(-1)) trail.counts.call = Math.min(trail.counts.call, 1);
}

/** Whether a result holds anything that this turn did not know: a content, an output, an error. */
function brings(trail: Trail, { name, first }: MadeCall, result: Result, text: string): boolean {
  const files = result.diff?.files ?? [];
  if (files.length > 0) return files.map((file) => changed(trail, file)).some(Boolean);
  const wrote = (result.wrote ?? []).map((each) => written(trail, each)).some(Boolean);
  const met = (gist: string): boolean => {
    const key = short(`${name} ${result.status} ${gist}`);
    const known = trail.seen.has(key);
    trail.seen.add(key);
    return known;
  };
  if (failedRun(result) || result.status !== "done") return !met(`error ${errorSignature(text)}`) || wrote;
  const exactly = met(`exactly ${text}`);
  const nearly = met(settled(text));
  return wrote || (first ? !exactly : !nearly);
}

/** Longer texts are hardly a clock. */
const longestSettled = 20_000;
const settled = (text: string): string => (text.length > longestSettled ? text : settledText(text));

const trailOf = (trail: Trail, file: string): FileTrail => {
  const known = trail.files.get(file) ?? { contents: new Set<string>(), changes: newRecurrence() };
  trail.files.set(file, known);
  return known;
};

/** The same of what a command wrote: that it ran is no progress, a new content is. */
function written(trail: Trail, { path, state }: NonNullable<Result["wrote"]>[number]): boolean {
  const { contents } = trailOf(trail, path);
  for (const error of trail.errors.values()) error.changed.add(path);
  const fresh = !contents.has(state);
  contents.add(state);
  return fresh;
}

/** True when the file has a content that it never had in this turn. */
function changed(trail: Trail, file: FileDiff): boolean {
  const [from, to] = file.states ?? [undefined, short(file.patch || file.path)];
  const own = trailOf(trail, file.path);
  if (from !== undefined) own.contents.add(from);
  const fresh = !own.contents.has(to);
  own.contents.add(to);
  // Without its contents a patch says only that the file changes again in the same way.
  meet(own.changes, from === undefined ? to : `${from} ${to}`);
  if (fresh) own.changes.times = 0;
  if (!fresh && own.changes.times > 0) trail.about.file = file.path;
  trail.counts.spiral = Math.max(0, ...[...trail.files.values()].map(({ changes }) => changes.times));
  for (const error of trail.errors.values()) error.changed.add(file.path);
  return fresh;
}

const failedRun = ({ status, code }: Result): boolean =>
  code === "process.exit" || (status === "failed" && code?.startsWith("process.") === true);

function failed(trail: Trail, call: string, output: string): void {
  const { count, first } = errorSummary(output);
  const key = `${errorSignature(output)} ${count}`;
  const known = trail.errors.get(call);
  if (known?.key !== key) {
    trail.errors.set(call, { key, changed: new Set(), attempts: new Map() });
    return;
  }
  for (const file of known.changed) {
    const attempts = (known.attempts.get(file) ?? 0) + 1;
    known.attempts.set(file, attempts);
    if (attempts > trail.counts.error) Object.assign(trail.about, { file, error: oneLine(first) });
  }
  known.changed.clear();
}

const mostAttempts = (trail: Trail): number =>
  Math.max(0, ...[...trail.errors.values()].flatMap(({ attempts }) => [...attempts.values()]));

/** The model's own word on why changes nothing of what a call does. */
const claims = new Set(["why", "description", "explanation", "reason", "justification"]);

function callKey({ name, input, malformed }: CallContent): string {
  return short(`${name} ${malformed ?? JSON.stringify(withoutClaims(input))}`);
}

const withoutClaims = (input: Json): Json =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !claims.has(name)))
    : input;

/** A call as a person would name it. */
function callText({ name, input, malformed }: CallContent): string {
  const bare = withoutClaims(input);
  const values = typeof bare === "object" && bare !== null ? Object.values(bare) : [bare];
  const subject = values.find((value) => typeof value === "string") ?? (malformed || JSON.stringify(bare));
  return oneLine(`${name} ${subject}`);
}

const longestShown = 100;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestShown ? `${line.slice(0, longestShown - 1)}…` : line.replace(/[.:]$/, "");
}

const short = (text: string): string => sha256(text).slice(0, 20);
