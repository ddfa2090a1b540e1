// Settings of checks: what the plan page says of those that a plan changes, and what changes none.
import { expect, test } from "vitest";
import { planLines } from "../../../src/work/task/machine/plan.ts";
import { describesOnly, settingsNotes } from "../../../src/work/task/checks/definitions.ts";
import { Plan } from "../../../src/protocol/plan.ts";
import { plan, quickPlan } from "./crew.ts";

const settings = [...plan().files, { path: ".eslintrc.json", action: "modify", intent: "let it through" }];

test("the plan page tells settings that are held to from those whose change is the purpose", () => {
  const shown = Plan.parse(quickPlan({ files: settings, settings: [".eslintrc.json"], test: undefined }));
  const blast = { files: 1, lines: 1, commands: 0, hosts: 0, dependents: [], untested: [], sources: 0, risk: 0 };
  expect(planLines(shown, { blast, also: [], flagged: [], notes: [] }).join("\n")).toMatch(
    /Settings whose change is the purpose[^]*\.eslintrc\.json/,
  );
  expect(settingsNotes(shown)[0]).toContain("may loosen checks by .eslintrc.json");
  expect(settingsNotes({ files: shown.files })[0]).toContain("The checks have to pass with the old ones, too.");
});

test("a version that a manifest says anew is no setting of its checks", () => {
  const manifest = (version: string, more = "") => `[project]\nversion = "${version}"\n[tool.pytest]\n${more}`;
  const changed = (file: string, more: string) => describesOnly(file, manifest("1.0"), manifest("1.1", more));
  expect(changed("pyproject.toml", "")).toBe(true);
  expect(changed("pyproject.toml", 'addopts = "-k none"\n')).toBe(false);
  expect(changed("tox.ini", "")).toBe(false);
  expect(describesOnly("Cargo.toml", undefined, manifest("1"))).toBe(false);
});
