// What is asked only because it is unknown, on commands that were drawn and not written (scripts/asks-sample.mjs).
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { fixedContext, layeredContext } from "../../src/guard/explain.ts";
import { unknownKind } from "../../src/guard/rules/unknown-reasons.ts";
import { judge } from "../guard/assess/facts.ts";

const drawn = (half: string) =>
  readFileSync(path.join(import.meta.dirname, "../../bench/asks", `${half}.tsv`), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t"));

test.each(["held", "tune"])(
  "of the drawn commands that are %s hardly any is asked only because it is unknown",
  (half) => {
    const judged = drawn(half).map(([kind, command = ""]) => ({ kind, assessment: judge(command) }));
    const asked = judged.filter(({ assessment }) => decide(assessment, layeredContext).verdict === "ask");
    const unknown = asked.filter(({ assessment: { reasons } }) =>
      reasons.every(({ risk, code }) => risk !== "L2" || unknownKind(code) !== undefined),
    );
    expect(judged.length).toBeGreaterThan(500);
    expect(unknown.length / judged.length).toBeLessThan(0.03);
    const manifests = (all: typeof judged) => all.filter(({ kind }) => kind === "manifest").length;
    expect(manifests(asked) / manifests(judged)).toBeLessThan(0.15);
    for (const { assessment } of judged) {
      const bare = decide(assessment, fixedContext);
      const layered = decide(assessment, layeredContext);
      if (bare.verdict !== "ask") expect(layered).toEqual(bare);
    }
  },
);
