// Makes tool results with planted instructions: deterministic, and split by whole families (a hash of the template).
import { createHash } from "node:crypto";
import { hidings } from "./hide.ts";
import pieces from "./planted.json" with { type: "json" };

/** Kind and text. Kinds are only for reading figures. */
type Row = readonly [kind: string, text: string];

/*
 * Each piece is a family: half of them are never learnt from.
 * Goals are what planted instructions want, each in the imperative. Frames are how they are put: {g} is the goal, {G} the same
 * with a capital. Hosts are where they stand, results of tools as they really look: {p} is the planted text, {j} the same inside
 * a JSON string, {1} to {4} are sentences of ordinary text.
 */
const { goals, openings, reasons, obligations, closings, neutral, honestRequests, honestHosts } = pieces;
const frames = pieces.frames as unknown as readonly Row[];
const hosts = pieces.hosts as unknown as readonly Row[];
const foreignGoals: Readonly<Record<string, readonly string[]>> = pieces.foreignGoals;
const foreignFrames: Readonly<Record<string, readonly string[]>> = pieces.foreignFrames;

/** `learn` and `check` are parts of the half that may be tuned on. */
export type Half = "tune" | "held" | "learn" | "check";
export interface Sample {
  /** Family, for figures: the kind of frame, the language or the way of hiding. */
  family: string;
  text: string;
  /** Where the planted text stands in `text`; -1 when it was changed beyond finding. */
  at: number;
  planted: string;
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
export function isOf(family: string, half: Half | "both"): boolean {
  const digit = Number.parseInt(digest(family)[0] ?? "0", 16);
  if (half === "both") return true;
  if (half === "held" || half === "tune") return digit < 8 === (half === "tune");
  return half === "learn" ? digit < 5 : digit >= 5 && digit < 8;
}
const of = <T>(items: readonly T[], half: Half | "both", key: (item: T) => string): T[] =>
  items.filter((item) => isOf(key(item), half));

/** A generator that gives the same numbers everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)] as T;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

function placed(host: Row, planted: string, random: () => number): { text: string; at: number } {
  const filled = host[1].replace(/\{[1-4]\}/g, () => pick(neutral, random));
  const json = filled.includes("{j}");
  const shown = json ? inJson(planted) : planted;
  const at = filled.indexOf(json ? "{j}" : "{p}");
  return { text: filled.replace(json ? "{j}" : "{p}", () => shown), at };
}

const filled = (frame: string, goal: string) => frame.replace("{g}", () => goal).replace("{G}", () => capital(goal));

export interface Wish {
  half: Half | "both";
  count: number;
  seed: number;
}

/** English, put openly. */
export function openSamples({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const someFrames = of(frames, half, (frame) => frame[1]);
  const someGoals = of(goals, half, (goal) => goal);
  const kinds = [...new Set(someFrames.map(([kind]) => kind))];
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? "";
    const frame = pick(
      someFrames.filter((each) => each[0] === kind),
      random,
    );
    const planted = filled(frame[1], pick(someGoals, random));
    return { family: kind, planted, ...placed(pick(hosts, random), planted, random) };
  });
}

/** English, put together of pieces; never without any that speaks to the reader. */
export function composedSamples({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const pieces = [openings, reasons, obligations, closings].map((list) => of(list, half, (piece) => piece));
  const blank = (list: readonly string[]) => (random() < 0.4 ? "" : pick(list, random));
  const someGoals = of(goals, half, (goal) => goal);
  return Array.from({ length: count }, () => {
    const [opening = "", reason = "", obligation = "", closing = ""] = pieces.map(blank);
    if (opening + reason + closing === "")
      return openSamples({ half, count: 1, seed: Math.floor(random() * 1e9) })[0] as Sample;
    const order = [reason, obligation, pick(someGoals, random)].filter(Boolean).join(" ");
    const planted = [opening, `${opening === "" ? capital(order) : order}.`, closing]
      .filter(Boolean)
      .join(random() < 0.2 ? "\n" : " ");
    return { family: "composed", planted, ...placed(pick(hosts, random), planted, random) };
  });
}

export function foreignSamples({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const languages = Object.keys(foreignFrames);
  return Array.from({ length: count }, (_, index) => {
    const language = languages[index % languages.length] ?? "de";
    const some = of(foreignFrames[language] ?? [], half, (frame) => frame);
    const frame = pick(some.length > 0 ? some : (foreignFrames[language] ?? []), random);
    const planted = filled(frame, pick(foreignGoals[language] ?? [], random));
    return { family: `language-${language}`, planted, ...placed(pick(hosts, random), planted, random) };
  });
}

/** What is hidden is a plain order to the assistant: a frame that is found when it stands openly. */
export function hiddenSamples({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const ways = of(hidings, half, ([name]) => name);
  const strong = frames.filter(([kind]) => !["bare", "memory"].includes(kind) && !kind.startsWith("fake"));
  const someFrames = of(strong, half, (frame) => frame[1]);
  const someGoals = of(goals, half, (goal) => goal);
  return Array.from({ length: count }, (_, index) => {
    const [name, hide] = ways[index % ways.length] as (typeof hidings)[number];
    const planted = hide(filled(pick(someFrames, random)[1].replaceAll("\n", " "), pick(someGoals, random)));
    return { family: `hidden-${name}`, planted, ...placed(pick(hosts, random), planted, random) };
  });
}

/** Honest text that asks people, or describes agents, in the same hosts. */
export function honestSamples({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const requests = of(honestRequests, half, (request) => request);
  return Array.from({ length: count }, (_, index) => {
    const host = honestHosts[index % honestHosts.length] ?? "";
    const text = host
      .replace(/\{[1-4]\}/g, () => pick(neutral, random))
      .replace(/\{r\}/g, () => pick(requests, random));
    return { family: "honest-request", text, at: -1, planted: "" };
  });
}

const containers = ["html-comment", "display-none", "alt", "markdown-comment", "white", "meta", "hidden-attribute"];

/** In containers that a reader does not see, yet in plain letters. */
export function hiddenOpenly({ half, count, seed }: Wish): Sample[] {
  const random = randomFrom(seed);
  const ways = hidings.filter(([name]) => containers.includes(name) && isOf(name, half));
  const open = openSamples({ half, count, seed: seed + 1 });
  return open.map(({ planted }) => {
    const [name, hide] = pick(ways.length > 0 ? ways : hidings.slice(14, 15), random);
    const hidden = hide(planted);
    return { family: `hidden-${name}`, planted: hidden, ...placed(pick(hosts, random), hidden, random) };
  });
}
