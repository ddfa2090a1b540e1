// A red team's commands, and honest ones that look like them. In data/, `L3 command` is never run, `L2 command` is
// asked about at least; of the honest files, work is never refused and reading runs unasked. `⏎` is a line break.
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checkShapes } from "../../src/guard/rules/shapes.ts";
import { builtins } from "../../src/guard/programs/shells/builtins.ts";
import type { Row } from "../../src/guard/rules/row.ts";
import { tables } from "../../src/guard/programs/tables.ts";
import { corpusLines } from "../support/corpus.ts";
import { riskOf } from "../guard/assess/facts.ts";

const folder = path.join(import.meta.dirname, "data");
const lines = (file: string): string[] => corpusLines(import.meta, `data/${file}`);
const hostile = readdirSync(folder).filter((file) => /^(?!honest).*\.txt$/.test(file));
const honest = (kind: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`honest-${kind}`))
    .flatMap(lines);

test.each(hostile)("nothing of %s comes out lower than it must", (file) => {
  const all = lines(file);
  const low = all.filter((line) => riskOf(line.slice(3)) < line.slice(0, 2));
  expect(all.every((line) => /^L[23] /.test(line))).toBe(true);
  expect(low).toEqual([]);
});

test("the suite holds several hundred of each kind", () => {
  expect(hostile.flatMap(lines).length).toBeGreaterThan(2800);
  expect([...honest("work"), ...honest("reading")].length).toBeGreaterThan(1900);
});

test("honest work that looks like an attack is never refused", () => {
  expect(honest("work").filter((line) => riskOf(line) === "L3")).toEqual([]);
});

test("reading about dangerous things stays free", () => {
  expect(honest("reading").filter((line) => riskOf(line) !== "L0")).toEqual([]);
});

test("every shape shows what it forbids", () => {
  expect(checkShapes(() => "L0").length).toBeGreaterThan(50);
});

test("every row that asks or refuses shows an example, and no row that reads knows an option that nobody listed", () => {
  const bare: string[] = [];
  const lax: string[] = [];
  const look = (row: Row, before: string): void => {
    if ((row.risk ?? "L0") >= "L2" && row.match.length === 0) bare.push(before + row.names);
    if (!before && (row.risk ?? "L0") === "L0" && !/(^| )\*( |$)/.test(row.options ?? "") && !row.subcommands)
      for (const name of row.names.split(" ").filter((one) => !builtins.has(one)))
        if (riskOf(`${name} --fettle-knows-no-such-option`) < "L2") lax.push(name);
    for (const sub of row.subcommands ?? []) look(sub, `${row.names.split(" ")[0]} `);
  };
  for (const row of tables) look(row, "");
  expect(bare).toEqual([]);
  expect(lax).toEqual([]);
});
