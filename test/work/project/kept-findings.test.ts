// What a review has found stays until it is mended: by title and place, whatever else is reviewed or mended later.
import { afterAll, expect, test } from "vitest";
import { openFindingsIn } from "../../../src/work/project/facts/open-findings.ts";
import { settingsOf } from "../../../src/work/project/facts/settings.ts";
import { plannedProject } from "./planned.ts";
import { removeShared, type ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

const folder = "phases/01-whole-numbers/01-";
const openIn = ({ texts }: ScriptedProject) => openFindingsIn(texts, settingsOf(undefined).read);
const hole = {
  title: "No bound is checked",
  state: "critical",
  place: "src/floor.js:1",
  evidence: "1.5\n→ 1",
  action: "add",
};

test("of two findings of one title the one that is mended closes itself alone", async () => {
  const items = [hole, { ...hole, place: "README.md:1" }];
  const one = await plannedProject({ "code reviewer": () => ({ summary: "Two.", items }) });
  one.failing = /floor\.js/;
  await one.run("code-review", ["1"], { fix: true });
  expect(one.texts.get(`${folder}REVIEW-FIX.md`)).toMatch(/\nfixed: 1\n[^]*not_fixed: 1/);
  expect(openIn(one)).toHaveLength(1);
});

test("a review of other files keeps what was found before in these, until it is mended or looked at again", async () => {
  let items: object[] = [hole, { ...hole, title: "Only a hint", state: "info" }];
  const one = await plannedProject({ "code reviewer": () => ({ summary: "Some.", items }) });
  await one.run("code-review", ["1"]);
  items = [{ ...hole, title: "Another", state: "warning", place: "README.md:1" }];
  one.kept.clear();
  const end = await one.run("code-review", ["1"], { files: "README.md" });
  expect(end.text).toContain("2 findings in phase 1 (1 critical, 1 warning)");
  const text = one.texts.get(`${folder}REVIEW.md`) ?? "";
  expect(text).toMatch(/### 1\. Another[^]*### 2\. No bound is checked[^]*> 1\.5\n> → 1[^]*\*\*To do:\*\* add/);
  expect(text).not.toContain("Only a hint");
  expect(openIn(one)).toHaveLength(1);
  items = [];
  one.kept.clear();
  await one.run("code-review", ["1"], { files: "src/floor.js" });
  expect(openIn(one)).toEqual([]);
});

test("who says nothing of what was asked is asked three times, each time in other words, and nothing stands twice", async () => {
  const other = { title: "Something else", state: "missing", place: "", evidence: "", action: "" };
  const one = await plannedProject({ verifier: () => ({ summary: "One.", items: [other] }) });
  await one.run("validate", ["1"]);
  const orders = one.asked.filter(({ agent }) => agent === "verifier").map(({ text }) => text);
  expect([orders.length, new Set(orders).size]).toEqual([3, 3]);
  expect(one.texts.get(`${folder}TEST-COVERAGE.md`)?.match(/### \d+\. Something else/g)).toHaveLength(1);
});
