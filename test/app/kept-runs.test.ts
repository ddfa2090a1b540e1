// What a run of a step writes down, under names that a person has typed.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunFile } from "../../src/app/projects/kept.ts";
import type { Program } from "../../src/app/program/program.ts";

test("whatever a phase is called, what is kept of it stands in the folder of runs and is found again", async () => {
  const planning = mkdtempSync(path.join(os.tmpdir(), "fettle-kept-"));
  onTestFinished(() => rmSync(planning, { recursive: true }));
  const program = { project: { planning }, incognito: false } as Program;
  const names = ["plan-3", "plan-../../outside", "plan-a/b", `discuss-${"9".repeat(400)}`, "plan-.."];
  for (const name of names) {
    await new RunFile(program, name).set("begun", name);
    expect(new RunFile(program, name).get("begun"), name).toBe(name);
  }
  expect(readdirSync(planning)).toEqual(["runs"]);
  const kept = readdirSync(path.join(planning, "runs"));
  expect(kept).toHaveLength(names.length);
  expect(kept).toContain("plan-3.json");
});
