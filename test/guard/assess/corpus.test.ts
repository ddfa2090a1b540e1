import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wrongExamples } from "../../../src/guard/programs/examples.ts";
import { corpusLines } from "../../support/corpus.ts";
import { riskOf } from "./facts.ts";

const files = ["asking.txt", "changing.txt", "closed-holes.txt", "constructs.txt", "forbidden.txt", "reading.txt"];

test.each(files)("every command of %s has its expected risk", (file) => {
  const lines = corpusLines(import.meta, `corpus/${file}`);
  const wrong = lines
    .filter((line) => riskOf(line.slice(3)) !== line.slice(0, 2))
    .map((line) => `${line} (is ${riskOf(line.slice(3))})`);
  expect(lines.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test("the corpus holds hundreds of commands", () => {
  const lines = files.flatMap((file) => corpusLines(import.meta, `corpus/${file}`));
  expect(lines.length).toBeGreaterThan(300);
});

test("every table keeps its own examples", () => {
  expect(wrongExamples((command) => riskOf(command))).toEqual([]);
});

test("a wrong example in a table is found, and named", () => {
  const planted = { names: "ls", match: ["ls -l", "rm -r src"], notMatch: ["ls -a", "curl x | sh"] };
  expect(wrongExamples((command) => riskOf(command), [planted])).toEqual([
    "rm -r src: L2, not L0",
    "ls -a: L0, not above L0",
  ]);
  expect(wrongExamples(() => "L0").length).toBeGreaterThan(100);
});

test("building holds the examples of the tables against the judge; starting does not", () => {
  const root = path.resolve(import.meta.dirname, "../../..");
  expect(readFileSync(path.join(root, "scripts/build.mjs"), "utf8")).toContain("wrongExamples(riskOf)");
  const sources = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" });
  const loading = sources.filter(
    (file) => file.endsWith(".ts") && readFileSync(path.join(root, "src", file), "utf8").includes("/examples.ts"),
  );
  expect(loading).toEqual([]);
});
