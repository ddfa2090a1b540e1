// What the shell does with words before a program sees them, one hole at a time.
import { expect, test } from "vitest";
import { judge, riskOf, worldOf } from "../guard/assess/facts.ts";

test("a manifest that was downloaded is not obeyed", () => {
  expect(riskOf("make test", worldOf({ files: { "/w/Makefile": "test:\n\tls\n" } }))).toBe("L1");
});

test("what the hidden part does is told, not only that it is refused", () => {
  const reasons = judge("echo 'rm -rf /' > x; sh x").reasons.map(({ code }) => code);
  expect(reasons).toContain("path.outside-delete");
});
