// A phase about an interface is planned when that is settled, or when the person says so.
import { afterAll, expect, test } from "vitest";
import type { Json } from "../../../src/protocol/message.ts";
import { plannedProject } from "./planned.ts";
import { removeShared, type ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

const folder = "phases/01-whole-numbers/01-";
const plans = ({ texts }: ScriptedProject) => [...texts.keys()].filter((path) => path.endsWith("-PLAN.md")).length;

/** Its first phase is discussed, and not planned. */
async function project(goal: string, workflow: Record<string, Json> = {}): Promise<ScriptedProject> {
  const one = await plannedProject({}, { workflow });
  for (const path of one.texts.keys()) if (path.endsWith("-PLAN.md")) one.texts.delete(path);
  const roadmap = one.texts.get("ROADMAP.md") ?? "";
  one.texts.set("ROADMAP.md", roadmap.replace(/\*\*Goal:?\*\*:? .*/, `**Goal**: ${goal}`));
  return one;
}
const asked = ({ questions }: ScriptedProject) => questions.filter((text) => text.includes("has no UI-SPEC.md"));

test("it is asked before anything is researched or planned; no leads to ui-phase, yes and --auto plan", async () => {
  const no = await project("People see a dashboard of sums");
  no.answers = ["no"];
  expect(await no.run("plan", ["1"])).toMatchObject({
    exit: 5,
    text: "Settle the interface first: fettle project ui-phase 1",
  });
  expect([asked(no).length, no.asked.length, plans(no)]).toEqual([1, 0, 0]);
  const yes = await project("People see a dashboard of sums");
  yes.answers = ["yes", "yes", "yes"];
  await yes.run("plan", ["1"]);
  expect([asked(yes).length, plans(yes) > 0]).toEqual([1, true]);
  const auto = await project("People see a dashboard of sums");
  await auto.run("plan", ["1"], { auto: true });
  expect([asked(auto).length, plans(auto) > 0]).toEqual([0, true]);
});

test("nothing is asked with a UI-SPEC, of another phase, and where a setting says so", async () => {
  const settled = await project("A web page shows sums");
  settled.texts.set(`${folder}UI-SPEC.md`, "# UI\n");
  const other = await project("A build of 1.5 becomes 2");
  const off = await project("A web page shows sums", { ui_safety_gate: false });
  const none = await project("A web page shows sums", { ui_phase: false });
  for (const one of [settled, other, off, none]) {
    one.answers = ["yes", "yes"];
    await one.run("plan", ["1"]);
    expect([asked(one).length, plans(one) > 0]).toEqual([0, true]);
  }
});
