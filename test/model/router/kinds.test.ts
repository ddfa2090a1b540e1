import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "../../../src/model/router/classify.ts";
import { tierOf } from "../../../src/model/router/heuristic.ts";
import { taskTypes } from "../../../src/protocol/router.ts";
import { cpuClock } from "../../support/cpu.ts";

describe("the kind of work", () => {
  test.each([
    ["add a .gitignore and a README skeleton", "boilerplate"],
    ["implement an LRU cache class with a time to live", "generation"],
    ["refactor the parser: extract a function for tokens", "refactor"],
    ["review my last commit and tell me what you think", "review"],
    ["write unit tests for src/date.ts", "unit_test"],
    ["plan how we move from REST to GraphQL", "planning"],
    ["coordinate subagents to migrate every package in parallel", "orchestration"],
    ["do a security review of the login handler", "security_review"],
    ["fix the failing test in src/date.ts", "debug"],
    ["why does the server crash on start-up with this stack trace", "debug"],
    ["explain how the scheduler works", "explain"],
    ["what does base/seal.ts do?", "explain"],
    ["behebe den Absturz beim Start", "debug"],
    ["erkläre mir diese Klasse", "explain"],
    ["benenne die Variable um und vereinfache die Schleife", "refactor"],
    ["schreib Tests für den Parser", "unit_test"],
  ] as const)("of %j is %s", (prompt, expected) => {
    expect(classify({ prompt }).type).toBe(expected);
  });

  test("of a mission is the mission's, of plan mode planning", () => {
    expect(classify({ prompt: "fix the crash", mission: "architect" }).type).toBe("planning");
    expect(classify({ prompt: "fix the crash", mission: "constructor" }).type).toBe("debug");
    expect(classify({ prompt: "write the tests first", mission: "tester" }).type).toBe("unit_test");
    expect(classify({ prompt: "fix the crash", mission: "coder" }).type).toBe("debug");
    expect(classify({ prompt: "Carry out this plan. Which steps?", mission: "coder" }).type).toBe("generation");
    expect(classify({ prompt: "look for a security vulnerability", mission: "auditor" }).type).toBe("security_review");
    expect(classify({ prompt: "fix the crash", planOnly: true })).toMatchObject({ type: "planning", by: "mode" });
    expect(classify({ prompt: "explain the parser", planOnly: true }).type).toBe("explain");
  });

  test("is found for any text, at once, and hard work counts as harder", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (prompt) => {
        const { type: kind, complexity } = classify({ prompt });
        expect(taskTypes).toContain(kind);
        expect(complexity >= 0 && complexity <= 1).toBe(true);
      }),
    );
    const spent = cpuClock();
    classify({ prompt: "a ".repeat(500_000) });
    classify({ prompt: `${"add ".repeat(1500)}${"x/".repeat(100_000)}` });
    expect(spent()).toBeLessThan(5_000);
    const easy = classify({ prompt: "just a small rename" }).complexity;
    const hard = classify({ prompt: "optimize concurrency across several modules: a.ts, b.ts, c.ts" }).complexity;
    expect(easy).toBeLessThan(0.1);
    expect(hard).toBeGreaterThan(0.5);
  });
});

test("sizes are told by names where they tell, else by prices", () => {
  expect(
    ["openai/gpt-5-nano", "anthropic/claude-haiku-4-5", "ollama/qwen3:8b"].map((arm) => tierOf(arm, undefined)),
  ).toEqual(["small", "small", "small"]);
  expect(
    ["anthropic/claude-opus-4-5", "google/gemini-2.5-pro", "openai/o3"].map((arm) => tierOf(arm, undefined)),
  ).toEqual(["large", "large", "large"]);
  // "gemini" is not mini.
  expect(tierOf("google/gemini-x", { input: 2, output: 8 })).toBe("medium");
  expect(tierOf("openai/gpt-5.1", { input: 1.25, output: 10 })).toBe("medium");
  expect(tierOf("x/unknown", { input: 10, output: 40 })).toBe("large");
  expect(tierOf("ollama/qwen3:32b", { input: 0, output: 0 })).toBe("medium");
});
