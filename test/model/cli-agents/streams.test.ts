// What other agents' programs say, as recorded from them, and as nobody should say it.
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClaude } from "../../../src/model/cli-agents/claude.ts";
import { readCodex } from "../../../src/model/cli-agents/codex.ts";
import type { ReadLine } from "../../../src/model/cli-agents/events.ts";
import { readGemini } from "../../../src/model/cli-agents/gemini.ts";
import { JsonLines } from "../../../src/model/cli-agents/lines.ts";
import { type Act, Transcript } from "../../../src/model/cli-agents/transcript.ts";

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, "fixtures", `${name}.jsonl`), "utf8");

function played(read: ReadLine, pieces: readonly string[]) {
  const lines = new JsonLines();
  const transcript = new Transcript();
  const acts: Act[] = [];
  const hear = (found: ReturnType<JsonLines["push"]>) => {
    for (const line of found)
      for (const event of read(line)) {
        const news = transcript.hear(event);
        if (news?.type === "done") acts.push(news.act);
      }
  };
  for (const piece of pieces) hear(lines.push(piece));
  hear(lines.end());
  return { transcript, acts, noise: lines.noise };
}

const readers: [string, ReadLine][] = [
  ["claude-2.1.330", readClaude],
  ["codex-0.169.0", readCodex],
  ["gemini-0.61.0", readGemini],
];

describe("recorded streams", () => {
  it("Claude Code: acts, answer, tokens, cost and session", () => {
    const { transcript, acts } = played(readClaude, [fixture("claude-2.1.330")]);
    expect(acts).toEqual([
      { tool: "Read", text: "/work/src/order.mjs", ok: true },
      { tool: "Edit", text: "/work/src/order.mjs", ok: true },
      { tool: "Bash", text: "node test.mjs", ok: true },
    ]);
    expect(transcript.answer()).toBe("Fixed: the total now multiplies price by quantity, and the tests pass.");
    expect(transcript.session).toBe("4214ec83-51a3-4145-bc4c-78ac92600ee8");
    expect(transcript.cost()).toBe(219_608);
    expect(transcript.usage()).toMatchObject({ input: 54_572, output: 66 });
    expect(transcript.problem).toBeUndefined();
  });

  it("Codex: acts, answer, tokens and session", () => {
    const { transcript, acts } = played(readCodex, [fixture("codex-0.169.0")]);
    expect(acts.map(({ tool, ok }) => [tool, ok])).toEqual([
      ["shell", true],
      ["edit", true],
      ["shell", true],
    ]);
    expect(acts[1]?.text).toBe("/work/src/order.mjs");
    expect(transcript.answer()).toContain("Fixed: the total");
    expect(transcript.session).toBe("01a201e7-e822-7da2-bc05-171b04ad0a49");
    expect(transcript.usage()).toMatchObject({ input: 40_007, output: 66 });
    expect(transcript.cost()).toBeUndefined();
  });

  it("Gemini CLI: acts, joined text, tokens, and the error that it ended with", () => {
    const { transcript, acts } = played(readGemini, [fixture("gemini-0.61.0")]);
    expect(acts.map(({ tool }) => tool)).toEqual(["read_file", "replace"]);
    expect(transcript.answer()).toBe("The quantity is not used.");
    expect(transcript.usage()).toMatchObject({ input: 19_755, output: 34 });
    expect(transcript.problem).toContain("no tool for 'shell'");
  });

  it.each(readers)("%s: however it is cut into pieces, it comes to the same", (name, read) => {
    const whole = fixture(name);
    const expected = played(read, [whole]);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((left, right) => left - right), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        const found = played(read, pieces);
        expect(found.acts).toEqual(expected.acts);
        expect(found.transcript.answer()).toBe(expected.transcript.answer());
        expect(found.transcript.usage()).toEqual(expected.transcript.usage());
      }),
      { numRuns: 30 },
    );
  });
});

describe("hostile streams", () => {
  it.each(readers)("%s: any JSON is read without a throw, and its counts stay counts", (_, read) => {
    const types = fc.constantFrom(
      "system",
      "assistant",
      "user",
      "result",
      "item.completed",
      "turn.completed",
      "message",
    );
    const line = fc.record({
      type: types,
      message: fc.jsonValue(),
      item: fc.jsonValue(),
      usage: fc.jsonValue(),
      stats: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (all) => {
        const { transcript } = played(read, [all.map((each) => JSON.stringify(each)).join("\n")]);
        for (const count of Object.values(transcript.usage())) expect(Number.isSafeInteger(count)).toBe(true);
      }),
    );
  });

  it("half lines, garbage and a line without end are left out, and what comes after them is read", () => {
    const good = '{"type":"result","subtype":"success","result":"Done.","total_cost_usd":0.5}';
    const pieces = ['{"type":"assis', "\n", "\u0000garbage\n", "x".repeat(5_000_000), "\n", "[1]\n", `${good}`];
    const { transcript, noise } = played(readClaude, pieces);
    expect(transcript.answer()).toBe("Done.");
    expect(transcript.cost()).toBe(500_000);
    expect(noise).toContain("garbage");
    expect(noise.length).toBeLessThanOrEqual(4_000);
  });

  it("a stream that ends in the middle has not ended, and its open acts are known", () => {
    const half = fixture("claude-2.1.330").split("\n").slice(0, 6).join("\n");
    const { transcript, acts } = played(readClaude, [half]);
    expect(transcript.ended).toBe(false);
    expect(acts).toHaveLength(1);
    expect(transcript.unended()).toEqual([{ tool: "Edit", text: "/work/src/order.mjs" }]);
  });

  it("a conversation's name that could be an option is none", () => {
    const named = (id: string) =>
      played(readClaude, [JSON.stringify({ type: "system", subtype: "init", session_id: id })]);
    expect(named("--continue").transcript.session).toBe("");
    expect(named("0af3-11").transcript.session).toBe("0af3-11");
  });

  it("thousands of acts are counted and not kept", () => {
    const many = Array.from({ length: 3_000 }, (_, id) =>
      JSON.stringify({ type: "tool_use", tool_id: String(id), tool_name: "x", parameters: {} }),
    );
    const { transcript } = played(readGemini, [many.join("\n")]);
    expect(transcript.acts).toBe(3_000);
    expect(transcript.unended()).toHaveLength(500);
  });
});
