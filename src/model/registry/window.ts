// Finds how much a model really reads: texts of growing size with two words to find in them. A server that silently drops
// the beginning or the middle of a long request loses one of the words; one that refuses says so.
import { randomInt } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { WindowReport } from "../../protocol/models.ts";
import { type ModelRequest, WireFault, type WireFaultKind } from "../../protocol/request.ts";
import { requestBytes } from "../contract/size.ts";
import { type Ask, maxOutputTokens } from "./probe.ts";
import { textIn } from "../../base/text-in.ts";

/** What surrounds the text: instructions, names of roles, the question. */
const surroundings = 256;
const leastWindow = 4_096;
const smallest = 2_048;
/** Bisections between what was read and what was not. */
const halvings = 5;
/** Nearer than that is not worth another request. */
const nearEnough = 1.1;
/** A finding that is less exact than that is not kept. */
const exactEnough = 1.3;
/** A server that refuses a request so may not take its size; any other fault says nothing about the window. */
const tooLarge: readonly WireFaultKind[] = ["context", "bad-request", "refused", "server", "protocol"];

/** Requests, and tokens of all of them together, at most; null: the window is too small to be tried. */
export function windowCosts(claimed: number): { requests: number; tokens: number; likelyTokens: number } | null {
  if (claimed < leastWindow) return null;
  let tokens = smallest + claimed;
  let read = smallest;
  for (let step = 0; step < halvings; step += 1) {
    read = between(read, claimed);
    tokens += read;
  }
  return { requests: 2 + halvings, tokens, likelyTokens: smallest + claimed };
}

const between = (read: number, missed: number): number => Math.round(Math.sqrt(read * missed));

export async function probeWindow(model: string, claimed: number, ask: Ask): Promise<WindowReport> {
  const report: WindowReport = { claimed, read: 0, requests: 0 };
  if (claimed < leastWindow) return { ...report, stopped: `${claimed} tokens are too few to be tried` };
  let bytesPerToken = 4;
  /** Undefined: it cannot be said. */
  const reads = async (tokens: number): Promise<boolean | undefined> => {
    const { request, words } = longRequest(model, (tokens - maxOutputTokens - surroundings) * bytesPerToken);
    report.requests += 1;
    try {
      const { content, usage } = await ask(request);
      const counted = usage.input > 0 ? requestBytes(request) / usage.input : bytesPerToken;
      if (report.read === 0) bytesPerToken = Math.min(8, Math.max(2, counted));
      const text = textIn(content, " ");
      return words.every((word) => text.toLowerCase().includes(word));
    } catch (error) {
      if (error instanceof WireFault && tooLarge.includes(error.kind)) {
        report.why = error.message;
        return false;
      }
      if (!(error instanceof WireFault || (error instanceof Fault && error.code.startsWith("budget.")))) throw error;
      report.stopped = error.message;
      return undefined;
    }
  };
  await search(report, reads);
  return report;
}

/** Fills in what was read, and the least that was not. */
async function search(report: WindowReport, reads: (tokens: number) => Promise<boolean | undefined>): Promise<void> {
  const small = await reads(smallest);
  if (small === undefined) return;
  if (!small) {
    report.stopped = "it did not find two words in a short text, so a long one would show nothing";
    return;
  }
  report.read = smallest;
  for (let tokens = report.claimed, step = 0; step <= halvings; step += 1) {
    const read = await reads(tokens);
    if (read === undefined) return;
    if (read) report.read = tokens;
    else report.missed = tokens;
    if (report.missed === undefined || report.missed / report.read < nearEnough) return;
    tokens = between(report.read, report.missed);
  }
}

/** What the card may say that it reads; undefined where the probe has not shown less than is claimed. */
export const shownWindow = ({ read, missed }: WindowReport): number | undefined =>
  missed !== undefined && read > 0 && missed / read <= exactEnough ? read : undefined;

const pool = ["amber", "basil", "cedar", "copper", "falcon", "garnet", "harbor", "indigo", "juniper", "lantern"];
const lines = [
  "The morning is quiet and the shop on the corner is still closed.",
  "A bus stops, two people get off, and nobody gets on.",
  "Somebody has left a green umbrella beside the door of the library.",
  "The river is low at this time of the year, and the boats lie still.",
];

function longRequest(model: string, bytes: number): { request: ModelRequest; words: [string, string] } {
  const first = randomInt(pool.length);
  const words: [string, string] = [
    pool[first] ?? "",
    pool[(first + 1 + randomInt(pool.length - 1)) % pool.length] ?? "",
  ];
  const text = [`The first word is ${words[0]}.`];
  let size = 0;
  let told = false;
  for (let at = 0; size < bytes; at += 1) {
    const line = lines[at % lines.length] ?? "";
    text.push(line);
    size += line.length + 1;
    if (told || size < bytes / 2) continue;
    text.push(`The second word is ${words[1]}.`);
    told = true;
  }
  if (!told) text.push(`The second word is ${words[1]}.`);
  text.push("What is the first word, and what is the second word? Answer with these two words only.");
  const request: ModelRequest = {
    ...{ model, tools: [], maxOutputTokens, temperature: 0 },
    system: "You are being tried out. Do exactly what is asked, in as few words as possible.",
    messages: [{ role: "user", content: [{ type: "text", text: text.join("\n") }] }],
  };
  return { request, words };
}
