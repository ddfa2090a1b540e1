// Every sentence that closes a hole, and every row of the security page, has tests that exist.
import { expect, test } from "vitest";
import { namedTests, problemOf, rowsOf, textOf } from "./named.ts";

const holes = rowsOf(textOf("test/complete/holes.md"));
const security = textOf("docs/security.md");

test.each([...holes])("each sentence has tests that exist: %s", (_title, rows) => {
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ what }) => what)).toEqual([]);
  expect(rows.flatMap(({ tests }) => tests.flatMap((named) => problemOf(named) ?? []))).toEqual([]);
});

test("all 24 settled holes are there, in order", () => {
  expect(holes.get("The 24 settled holes")?.map(({ what }) => Number.parseInt(what, 10))).toEqual(
    Array.from({ length: 24 }, (_, at) => at + 1),
  );
  expect([...holes.values()].flat().length).toBeGreaterThan(80);
});

test("the security page names tests that exist, for what holds and for each row of the OWASP list", () => {
  const named = namedTests(security);
  expect(named.length).toBeGreaterThan(40);
  expect(named.flatMap((each) => problemOf(each) ?? [])).toEqual([]);
  const chapters = rowsOf(security);
  const owasp = chapters.get("OWASP Top 10 for Agentic Applications, row by row") ?? [];
  expect(owasp.map(({ what }) => what.slice(0, 5))).toEqual(
    Array.from({ length: 10 }, (_, at) => `ASI${String(at + 1).padStart(2, "0")}`),
  );
  const holding = [...owasp, ...(chapters.get("What holds") ?? [])];
  expect(holding.filter(({ tests }) => tests.length === 0).map(({ what }) => what)).toEqual([]);
});

test("a test that does not exist is noticed", () => {
  expect(problemOf("test/complete/holes.test.ts: a test that does not exist is noticed")).toBeUndefined();
  expect(problemOf(`test/complete/holes.test.ts: a test that nobody ${"wrote"}`)).toContain("no such test");
  expect(problemOf("test/gone.test.ts: anything")).toContain("no such file");
  expect(
    rowsOf("## a\n| x | y |\n|---|---|\n| one \\| two | `test/a.test.ts: b`<br>`test/c.test.ts: d` |\n").get("a"),
  ).toEqual([{ what: "one \\| two", tests: ["test/a.test.ts: b", "test/c.test.ts: d"] }]);
});
