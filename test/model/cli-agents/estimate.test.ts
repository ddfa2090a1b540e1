// What a run is taken to cost while nothing but its stream tells.
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCodex } from "../../../src/model/cli-agents/codex.ts";
import { expectedRun, RunEstimate } from "../../../src/model/cli-agents/estimate.ts";
import type { AgentEvent, ReadLine } from "../../../src/model/cli-agents/events.ts";
import { readGemini } from "../../../src/model/cli-agents/gemini.ts";
import { JsonLines } from "../../../src/model/cli-agents/lines.ts";
import type { Price } from "../../../src/model/contract/pricing.ts";
import { knownPrograms } from "../../../src/model/registry/command-line.ts";

const price: Price = { input: 1, output: 8, cacheRead: 0.1, cacheWrite: 1 };
const knownOf = (name: string) => {
  const known = knownPrograms.find(({ program }) => program === name);
  if (!known) throw new Error(name);
  return known;
};

function recorded(name: string, read: ReadLine): AgentEvent[] {
  const text = readFileSync(path.join(import.meta.dirname, "fixtures", `${name}.jsonl`), "utf8");
  return new JsonLines().push(text).flatMap(read);
}

function after(program: string, events: readonly AgentEvent[], before = 0): RunEstimate {
  const estimate = new RunEstimate({ program: knownOf(program), price, length: 90, before });
  for (const event of events) estimate.hear(event);
  return estimate;
}

test.each([
  // As each told itself at the end of the recorded run, of a server that counts four bytes as a token.
  ["codex", "codex-0.169.0", readCodex, 40_007],
  ["gemini", "gemini-0.61.0", readGemini, 19_755],
] as const)("%s: near what it said itself, and above it", (program, name, read, told) => {
  const estimate = after(program, recorded(name, read));
  expect(estimate.usage().input).toBeGreaterThan(told);
  expect(estimate.usage().input).toBeLessThan(2 * told);
});

test("it is cut before the end: after each act the next prompt counts at once", () => {
  const events = recorded("codex-0.169.0", readCodex);
  const costs = events.map((_, count) => after("codex", events.slice(0, count + 1)).micro);
  const acts = events.flatMap(({ type }, at) => (type === "acted.ended" ? [at] : []));
  for (const at of acts) expect((costs[at] ?? 0) - (costs[at - 1] ?? 0)).toBeGreaterThan(9_850 * price.input);
  expect(acts.length).toBe(3);
});

const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant("said" as const), text: fc.string(), whole: fc.boolean() }),
  fc.record({
    ...{ type: fc.constant("acted" as const), id: fc.constantFrom("a", "b", "c"), tool: fc.constant("x") },
    ...{ text: fc.string(), length: fc.nat(9_000) },
  }),
  fc.record({
    ...{ type: fc.constant("acted.ended" as const), id: fc.constantFrom("a", "b", "c"), ok: fc.boolean() },
    length: fc.nat(9_000),
  }),
);

test("property: whatever comes, it never falls, its sum is its parts', and what goes on costs no less", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.nat(50_000), (events, before) => {
      let last = 0;
      const estimate = new RunEstimate({ program: knownOf("codex"), price, length: 90, before });
      for (const each of events) {
        estimate.hear(each);
        expect(estimate.micro).toBeGreaterThanOrEqual(last);
        last = estimate.micro;
      }
      const { input, output } = estimate.usage();
      expect(Math.abs(input * price.input + output * price.output - estimate.micro)).toBeLessThan(50);
      expect(estimate.context).toBeGreaterThanOrEqual(before);
      expect(after("codex", events, before + 20_000).micro).toBeGreaterThan(after("codex", events, before).micro);
    }),
  );
});

test("before a run: its own prompt comes on top of the work, and grows with the price", () => {
  const work = 20_000 * (0.6 * price.input + 0.4 * price.output);
  expect(expectedRun(knownOf("claude"), price, 20_000)).toBeGreaterThan(work + 13_400 * price.input);
  const twice = { input: 2, output: 16, cacheRead: 0.2, cacheWrite: 2 };
  expect(expectedRun(knownOf("codex"), twice, 20_000)).toBe(2 * expectedRun(knownOf("codex"), price, 20_000));
});
