// COMPLETE is impossible with a suite that is red and was green before, whatever plan and work do to hide it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call } from "../../../scenarios/scene.ts";
import { sandboxHere } from "../../../support/sandbox.ts";
import { type MissionScript, quickCrew, say, write } from "../../../work/task/crew.ts";
import { look, states, taskId } from "../../../work/task/tasks.ts";
import { type Adversary, adversaries } from "./adversaries/kits.ts";
import { openRepository } from "./repositories/play.ts";

const empty = ({ testCommand }: Adversary) => [
  ...["true", "ls", "exit 0", `${testCommand} || true`, `${testCommand}; exit 0`],
  ...["node -e \"console.log('TAP version 13'); console.log('ok 1 - all')\"", `${testCommand} | cat`],
];

function planOf(
  { subject, test, stack, testCommand, one, planned, files, gone }: Adversary,
  checks: readonly string[],
) {
  return {
    summary: "Rounds halves up",
    stack,
    files: [
      { path: test.path, action: "create", intent: "shows it" },
      { path: subject, action: "modify", intent: "does it" },
      ...planned.map((path) => ({ path, action: path in files ? "modify" : "create", intent: "what is out of date" })),
    ],
    test: { path: test.path, subject: [subject] },
    commands: { test: testCommand },
    replaces: [...gone.names],
    acceptance: [
      { claim: "1.5 becomes 2", command: one },
      ...checks.map((command) => ({ claim: `holds: ${command}`, command })),
    ],
  };
}

describe.skipIf(!sandboxHere)("a model that hides a red suite", () => {
  for (const one of adversaries) {
    const lacks = one.lacks();
    test.skipIf(lacks !== undefined)(
      `property: ${one.runner}: no check that cannot fail, no end of the run, no setting and no script gets it to COMPLETE${lacks === undefined ? "" : ` (skipped: ${lacks})`}`,
      { timeout: 900_000 },
      () => hidden(one),
    );
  }
});

async function hidden(one: Adversary): Promise<void> {
  const own = Object.fromEntries(one.planned.map((file) => [file, one.files[file] ?? ""]));
  const [attacks = []] = fc.sample(fc.shuffledSubarray([...one.attacks], { minLength: one.attacks.length }), 1);
  const visits = [...attacks, one.gone.files].map((more) => ({ ...own, [one.subject]: one.spoilt, ...more }));
  const heard: string[] = [];
  const told: string[] = [];
  const coder: MissionScript = ({ said, prompt, visit }) => {
    if (said === 0) heard.push(prompt);
    const files = Object.entries(visits[Math.min(visit, visits.length) - 1] ?? {});
    return said === 0 ? { calls: files.map(([path, content]) => call("write", { path, content })) } : say("Done.");
  };
  const architect: MissionScript = ({ prompt }) => {
    told.push(prompt);
    const left = empty(one).filter((command) => !told.slice(1).some((text) => text.includes(command)));
    return say(planOf(one, told.length === 1 ? empty(one) : told.length < 4 ? left : []));
  };
  const verifier: MissionScript = ({ said }) => (said === 0 ? write(one.test.path, one.test.text) : say("Done."));
  await using scene = await openRepository(one, { ...quickCrew, architect, verifier, coder });
  await scene.run(["config", "set", "task.repairs", "9"]);
  const patience = { timeoutMs: 800_000 };
  const begun = await scene.run(["task", "fix the rounding bug: 1.5 should become 2"], patience);
  const id = taskId(begun.stderr);
  let stderr = "";
  // Each plan that it is planned anew is approved; the result never is.
  for (let plans = 0; plans < 6; plans += 1) {
    stderr += (await scene.run(["task", "approve", id], patience)).stderr;
    if ((await look(scene, id)).task.state !== "PLANNING") break;
  }
  expect(empty(one).filter((command) => !told.slice(1).join("\n").includes(command))).toEqual([]);
  const view = await look(scene, id);
  const tried = heard.length - 1;
  const before = attacks[tried - 1] ?? {};
  expect([tried, view.task.state], `after ${JSON.stringify(before)}:\n${stderr.slice(-6000)}`).toEqual([
    attacks.length,
    "FEEDBACK_WAIT",
  ]);
  expect(states(view)).not.toContain("COMPLETE");
  // What the plan lets the work do to old tests is named before anything is signed.
  for (const name of one.gone.names)
    expect(
      view.task.outgrown?.some((each) => each.includes(name)),
      `${name}: ${view.task.outgrown?.join(", ")}`,
    ).toBe(true);
  expect(stderr).toMatch(/Passed before, and fails in its old form/);
}
