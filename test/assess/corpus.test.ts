import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checkCodePatterns } from "../../src/guard/rules/code.ts";
import { checkPathTables } from "../../src/guard/rules/paths.ts";
import { checkReadingForms } from "../../src/guard/rules/reading.ts";
import { checkTables } from "../../src/guard/rules/tables.ts";
import { checkTools } from "../../src/guard/rules/tools.ts";
import { riskOf } from "./facts.ts";

const folder = path.join(import.meta.dirname, "corpus");
const files = ["asking.txt", "changing.txt", "forbidden.txt", "reading.txt"];

test.each(files)("every command of %s has its expected risk", (file) => {
  const lines = readFileSync(path.join(folder, file), "utf8").split("\n").filter(Boolean);
  const wrong = lines
    .filter((line) => riskOf(line.slice(3)) !== line.slice(0, 2))
    .map((line) => `${line} (is ${riskOf(line.slice(3))})`);
  expect(lines.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test("the corpus holds hundreds of commands", () => {
  const lines = files.flatMap((file) => readFileSync(path.join(folder, file), "utf8").split("\n").filter(Boolean));
  expect(lines.length).toBeGreaterThan(300);
});

test("every table keeps its own examples", () => {
  expect(checkTables((command) => riskOf(command))).toEqual([]);
  expect(checkReadingForms((command) => riskOf(command))).toEqual([]);
  expect(checkTools((command) => riskOf(command))).toEqual([]);
  expect(checkPathTables()).toEqual([]);
  expect(checkCodePatterns()).toEqual([]);
});

test("a wrong example in a table is found", () => {
  expect(checkTables(() => "L0").length).toBeGreaterThan(50);
});
