// Tables in a narrow terminal: nothing is too wide, and what a person copies stays whole.
import { expect, test } from "vitest";
import type { CostReport, ModelRow } from "../../../src/protocol/models.ts";
import type { RouterExplanation } from "../../../src/protocol/router.ts";
import { renderReport } from "../../../src/surfaces/cli/commands/cost.ts";
import { renderModels } from "../../../src/surfaces/cli/commands/models/list.ts";
import { renderExplanation } from "../../../src/surfaces/cli/commands/router/drawing.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";
import { renderPairs, renderTable, whole } from "../../../src/surfaces/cli/text/table.ts";
import { textWidth } from "../../../src/surfaces/cli/text/width.ts";

const look = (width: number): Look => ({ style: createStyle({ colour: false, unicode: true }), width });
const widest = (lines: readonly string[]): number => Math.max(...lines.map(textWidth));

test("a long value goes on below itself; a word longer than the line, or a command, stays whole", () => {
  const long = "one two three four five six seven eight nine ten";
  expect(renderPairs([["name", long]], look(30))).toEqual([
    "name  one two three four five",
    "      six seven eight nine ten",
  ]);
  const path = `see /${"x".repeat(40)}`;
  expect(renderPairs([["file", path]], look(30))).toEqual([`file  ${path}`]);
  expect(renderPairs([["run", long]], whole(look(30)))).toEqual([`run  ${long}`]);
});

test("a last column that wraps is not cut, and stands below itself", () => {
  const columns = [{ title: "name" }, { title: "about", flexible: true, wraps: true }];
  expect(renderTable(columns, [["planner", "works out a plan for a change"]], look(30))).toEqual([
    "name     about",
    "planner  works out a plan for",
    "         a change",
  ]);
});

test("models: no name is cut, and what does not fit beside it stands below", () => {
  const row = (model: string): ModelRow => ({
    ...{ model, provider: "one", status: "not-found", detail: "offers 1 model, not this one" },
    ...{ default: false, local: true },
  });
  const name = `one/${"long-name-".repeat(6)}`;
  const lines = renderModels([row("one/short"), row(name)], look(80), { all: false });
  expect(lines).toEqual([
    "! one/short  not found  local  offers 1 model, not this one",
    `! ${name}`,
    "    not found  local  offers 1 model, not this one",
  ]);
});

test("models: a price of fettle's list says of which day it is, one that a person has set does not", () => {
  const listed = (asOf?: string): string => {
    const price = { input: 1.25, output: 10, cacheRead: 0.1, cacheWrite: 1.25, ...(asOf !== undefined && { asOf }) };
    const card = {
      ...{ kind: "api" as const, capabilities: { tools: true, images: false, reasoning: false }, probedAt: null },
      ...{ contextTokens: 1000, maxOutput: 100, price, pools: [] },
    };
    const row: ModelRow = {
      model: "a/b",
      provider: "a",
      status: "ready",
      detail: "",
      default: true,
      local: false,
      card,
    };
    return renderModels([row], look(120), { all: false }).join("\n");
  };
  expect(listed("2025-12-15")).toContain("$1.25 in, $10 out per million tokens (list of 2025-12-15)");
  expect(listed()).toMatch(/\$10 out per million tokens$/m);
});

test("calls one by one are numbered in line and fit 80 columns", () => {
  const row = (key: string) => ({
    ...{ key, calls: 1, input: 2500, cacheRead: 0, cacheWrite: 0, output: 74, reasoning: 0 },
    ...{ ms: 297, cost: 1400, unpriced: 0, estimated: 0, share: 0.1 },
  });
  const rows = Array.from({ length: 12 }, (_, at) => row(`${at + 1}  2026-11-22 06:37:18  near/model`));
  const report: CostReport = { by: "call", rows, total: row("total") };
  const lines = renderReport(report, look(80));
  expect(widest(lines)).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(/^ 1 2026-11-22 06:37:18 near\/model /);
  expect(lines[12]).toMatch(/^12 2026-11-22 06:37:18 near\/model /);
});

test("the router's explanation shows less in a narrow terminal, and says so", () => {
  const candidate = {
    ...{ arm: "some-provider/some-model", quality: 0.69, interval: [0.27, 0.97] as [number, number] },
    ...{ heuristic: 0.69, observations: 2, cost: 0.87, weightedCost: 0.97, scarcity: 1, switching: 0 },
    ...{ score: 0.85, drawn: 0.8, propensity: 1 },
  };
  const answer: RouterExplanation = {
    classification: { type: "debug", complexity: 0.1, by: "words", because: "fix" },
    ...{ profile: "balanced", chosen: candidate.arm, why: "debug", candidates: [candidate], excluded: [] },
    ...{ strategies: [], strategy: "single", notices: [] },
  };
  const narrow = renderExplanation(answer, look(80));
  expect(widest(narrow)).toBeLessThanOrEqual(80);
  expect(narrow.join("\n")).toContain("A wider terminal, or --json");
  expect(narrow.join("\n")).toContain(candidate.arm);
  const wide = renderExplanation(answer, look(120)).join("\n");
  expect(wide).toContain("weighted");
  expect(wide).not.toContain("strategy   single");
  const cascade = { strategy: "cascade" as const, quality: 0.8, cost: 1, score: 0.9, propensity: 0.9 };
  const several = { strategies: [{ ...cascade, strategy: "single" as const }, cascade], strategy: "cascade" as const };
  expect(renderExplanation({ ...answer, ...several }, look(120)).join("\n")).toMatch(/\nstrategy +cascade\n/);
  expect(wide).not.toContain("A wider terminal");
});
