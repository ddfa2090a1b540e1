// A name for what an output complains about, which stays the same when only places, times and numbers move.
import { sha256 } from "../../base/digest.ts";

const telling =
  /\b(?:\w*error|\w*exception|fail(?:ed|ure|ures|s)?|fatal|panic(?:ked)?|assert\w*|expected|received|actual|undefined|unresolved|unexpected|cannot|can't|could not|not found|no such|missing|invalid|mismatch(?:ed)?|denied|refused|segmentation|traceback|left|right|not ok)\b|^E\s|^[✗✖×✘●]/i;

/** Only how often, how long and how many: they change while the trouble stays. */
const summary =
  /^\W*(?:\d+ (?:passed|failed|errors?|warnings?|tests?)|tests?:|test suites?:|time:|ran \d+ tests?|duration|#\s|finished in|=+ .*\bin [\d.]+s)/i;

const mostLines = 60;
const longestOutput = 256 * 1024;
const longestLine = 500;

/** What differs between two runs of the same thing. */
const normalised: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${"\u001b"}\\[[0-9;]*[A-Za-z]`, "g"), ""],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "TIME"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "TIME"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "ID"],
  [/\b0x[0-9a-f]+\b/gi, "ADDRESS"],
  [/@[0-9a-f]{5,16}\b/gi, "@ADDRESS"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b/gi, "DIGEST"],
  [/(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/[^\s"':)]+/g, "TEMPORARY"],
  [/\b(?:pid|process|thread|worker)[ =#:]*\(?\d+\)?/gi, "PROCESS"],
  [/(\bthread '[^']*') \(\d+\)/g, "$1"],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|ns|s|secs?|seconds?|minutes?)\b/g, "DURATION"],
  [/\b(line) \d+/gi, "$1 N"],
  [/(\.\w{1,10}):\d+(?::\d+)?/g, "$1:N"],
  [/(\.\w{1,10})[([]\d+(?:,\d+)?[)\]]/g, "$1:N"],
  [/\b(?:localhost|127\.0\.0\.1):\d+/g, "HOST"],
  [/\s+/g, " "],
];

/**
 * Values in messages stay: a test that now fails by another value has not failed as it did before. Frames and places
 * do not: the same failure moves when lines are added above it.
 */
export function errorSignature(output: string): string {
  const said = complaints(output);
  const chosen = [...new Set(said)].toSorted().slice(0, mostLines);
  return sha256(chosen.join("\n"));
}

/** How many lines complain, and the first of them: one of many equal complaints less is another state of affairs. */
export function errorSummary(output: string): { count: number; first: string } {
  const said = complaints(output);
  return { count: said.length, first: said[0] ?? "" };
}

function complaints(output: string): string[] {
  const lines = output.slice(-longestOutput).split("\n").map(normal);
  const said = lines.filter((line) => line !== "" && telling.test(line) && !summary.test(line) && !isFrame(line));
  return said.length > 0 ? said : lines.filter((line) => line !== "").slice(-5);
}

/** The same for two runs of the same thing that came to the same. */
export const settledText = (text: string): string => normalisedText(text).trim();

const isFrame = (line: string): boolean => /^(?:at |\d+: |File "|--> |\^+$|\| )/.test(line);

const normal = (line: string): string => normalisedText(line.slice(0, longestLine)).trim();

const normalisedText = (given: string): string =>
  normalised.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), given);
