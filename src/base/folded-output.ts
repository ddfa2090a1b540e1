// What nobody reads of a long output: tests that pass, told as TAP, JUnit or a line each, and lines that were overwritten on the way.

import { foldedFrames } from "./folded-frames.ts";

/** A run of lines that is shorter is shown as it is. */
const leastFolded = 4;
/** So many tests, each a dot, are folded on one line, too. */
const manyTests = 60;

/** `count` passing tests, or none, lie on the line; `lead`: it belongs to the next line if that is kept. */
type Noise = { count: number; lead?: boolean };

export function foldedOutput(text: string): string {
  let shown = foldedFrames(withoutOverwritten(text));
  if (looksLikeTap(shown)) shown = folded(shown.split("\n"), tapNoise(/^\s*# Subtest: /m.test(shown)));
  if (shown.includes("<testcase")) {
    const lines = shown.replace(/>[ \t]*(?=<testcase\b|<\/testsuite\b)/g, ">\n").split("\n");
    shown = folded(lines, junitNoise);
  }
  for (const { summary, noise, units } of runners)
    if (summary.test(shown)) shown = folded(shown.split("\n"), noise, units);
  return shown.replace(pytestHead, "$1");
}

/** A runner that tells each passing test on a line: known by the sum at its end, so that other lists with ticks stay. */
interface Runner {
  summary: RegExp;
  /** What a line stands for, where that may be a whole file of tests. */
  units?: string;
  noise(line: string): Noise | undefined;
}

const passingLine =
  (passed: RegExp, heading?: RegExp) =>
  (line: string): Noise | undefined =>
    passed.test(line) ? { count: 1 } : heading?.test(line) ? { count: 0, lead: true } : undefined;

/** What pytest says of itself before the tests. */
const pytestHead =
  /^(=+ test session starts =+\r?\n)(?:(?:platform |cachedir: |hypothesis profile |benchmark: |rootdir: |configfile: |testpaths: |plugins: |asyncio: ).*\n){2,}/m;

/** Lines of dots, each a test, behind the name of their file or alone. */
const dots = /^(?:\S+\.py )?(\.+)\s*(?:\[ *\d+%\])?\r?$/;
const dotted =
  (named: RegExp | undefined) =>
  (line: string): Noise | undefined => {
    if (named?.test(line)) return { count: 1 };
    const found = dots.exec(line)?.[1];
    return found === undefined ? undefined : { count: found.length };
  };

const runners: readonly Runner[] = [
  // Python's unittest -v, which tells a test with a description on two lines, and cargo test.
  { summary: /^Ran \d+ tests? in |^test result: /m, noise: passingLine(/ \.\.\. ok\r?$/, /^\w+ \([\w.<>]+\)\r?$/) },
  { summary: /^Ran \d+ tests? in /m, noise: dotted(undefined) },
  {
    summary: /^(?:=+ )?.*\b\d+ passed\b.* in [\d.]+s\b/m,
    noise: dotted(/^\S.*::.* PASSED\b\s*(?:\[ *\d+%\])?\r?$/),
  },
  { summary: /^(?:ok|PASS|FAIL)\b/m, noise: passingLine(/^\s*--- PASS: /, /^=== (?:RUN|PAUSE|CONT|NAME)\b/) },
  {
    // mocha, jest, vitest, node's spec reporter
    summary: /^\s*(?:\d+ passing\b|Tests:?\s.*\b\d+ passed\b|\S? ?pass \d+\s*$)/m,
    noise: passingLine(/^\s*[✓✔√]\s/),
    units: "lines of passing tests",
  },
];

/** A line that a carriage return began anew is shown as it was last; progress bars are hundreds of such. */
function withoutOverwritten(text: string): string {
  if (!/\r[^\r\n]/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => {
      const end = line.endsWith("\r") ? "\r" : "";
      const states = line.split("\r").filter((state) => state.trim() !== "");
      if (states.length <= leastFolded) return line;
      return `[… ${states.length - 1} earlier states of this line …] ${states.at(-1) ?? ""}${end}`;
    })
    .join("\n");
}

const passing = /^(\s*)ok \d+\b(?!.*#\s*(?:skip|todo)\b)/i;

const looksLikeTap = (text: string): boolean =>
  /^TAP version 1[34]/m.test(text) || (text.match(/^\s*ok \d+\b/gm)?.length ?? 0) > leastFolded;

/** What sums a report up, and what a program printed with the form of a comment. */
const sums = /^# (?:tests|pass|fail|skip|todo|cancelled|suites|duration_ms|ok|not ok|time)\b/;

/** Passing lines with the block of details below them, plans and headings: of subtests, or plain comments where there are none. */
function tapNoise(subtests: boolean): (line: string) => Noise | undefined {
  let details: "none" | "expected" | "open" = "none";
  return (line) => {
    if (passing.test(line)) {
      details = "expected";
      return { count: 1 };
    }
    if (details === "expected" && /^\s+---\s*$/.test(line)) details = "open";
    else if (details === "open" && /^\s+\.\.\.\s*$/.test(line)) {
      details = "none";
      return { count: 0 };
    } else if (details !== "open") details = "none";
    if (details === "open") return { count: 0 };
    if (subtests ? /^\s*# Subtest: /.test(line) : /^# \S/.test(line) && !sums.test(line))
      return { count: 0, lead: true };
    return /^\s+1\.\.\d+\s*$/.test(line) ? { count: 0 } : undefined;
  };
}

const junitNoise = (line: string): Noise | undefined =>
  /^\s*<testcase\b[^<>]*(?:\/>|>\s*<\/testcase>)\s*$/.test(line) ? { count: 1 } : undefined;

/** Runs of noise become a line that counts them; headings of what is kept stay. */
function folded(lines: readonly string[], noiseOf: (line: string) => Noise | undefined, units?: string): string {
  const shown: string[] = [];
  let run: { line: string; noise: Noise }[] = [];
  const close = () => {
    const leads: string[] = [];
    while (run.at(-1)?.noise.lead) leads.unshift(run.pop()?.line ?? "");
    const count = run.reduce((sum, { noise }) => sum + noise.count, 0);
    if ((run.length < leastFolded && count < manyTests) || count === 0) shown.push(...run.map(({ line }) => line));
    else shown.push(`[… ${count} ${units ?? `passing test${count === 1 ? "" : "s"}`} …]`);
    shown.push(...leads);
    run = [];
  };
  for (const line of lines) {
    const noise = noiseOf(line);
    if (noise) run.push({ line, noise });
    else {
      close();
      shown.push(line);
    }
  }
  close();
  return shown.join("\n");
}
