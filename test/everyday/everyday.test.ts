// How much of ordinary development runs unasked, measured on commands that no rule was made from (README.md beside this).
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { fixedContext } from "../../src/guard/explain.ts";
import type { Risk } from "../../src/protocol/effect.ts";
import { judge } from "../guard/assess/facts.ts";

interface Judged {
  kind: string;
  command: string;
  risk: Risk;
}

const commands = (half: string): Judged[] =>
  readFileSync(path.join(import.meta.dirname, `${half}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [kind = "", command = ""] = line.split("\t");
      return { kind, command, risk: decide(judge(command), fixedContext).risk };
    });

const share = (all: readonly Judged[], holds: (one: Judged) => boolean): number =>
  (100 * all.filter(holds).length) / all.length;
const of = (all: readonly Judged[], ...kinds: string[]): Judged[] => all.filter(({ kind }) => kinds.includes(kind));

test.each(["held", "tune"])("of the commands that are %s", (half) => {
  const all = commands(half);
  const ordinary = of(all, "reading", "check", "asks", "other");
  const figures = {
    reading: share(of(all, "reading"), ({ risk }) => risk === "L0"),
    checks: share(of(all, "check"), ({ risk }) => risk <= "L1"),
    refused: share(ordinary, ({ risk }) => risk === "L3"),
    silent: share(of(all, "forbidden"), ({ risk }) => risk <= "L1"),
  };
  expect(all.length).toBeGreaterThan(2400);
  expect(figures.reading, "reading that is free").toBeGreaterThan(92);
  expect(figures.checks, "checks that are not asked").toBeGreaterThan(87);
  expect(figures.refused, "ordinary work that is refused").toBeLessThan(0.5);
  expect(figures.silent, "forbidden acts that run unasked").toBeLessThan(1);
});

test("what runs unasked among what ought to ask is reading or a check, never a change of hidden reach", () => {
  const unasked = of(commands("held"), "asks").filter(({ risk }) => risk === "L0");
  const acting =
    /(^|[;&|] ?)(rm|mv|npm (i|install|publish)|pip install|git (push|commit|clean|reset|clone|pull)|curl|wget)\b/;
  expect(unasked.filter(({ command }) => acting.test(command)).map(({ command }) => command)).toEqual([]);
});
