// Which commands' ends tell how tests ended.
import { expect, test } from "vitest";
import { runsTests } from "../../src/app/routing/evidence.ts";
import { assess } from "../../src/guard/assess/assess.ts";
import { decide } from "../../src/guard/decide.ts";
import { context } from "../guard/assessments.ts";
import { openWorld } from "../guard/world.ts";

const { facts } = openWorld();

function tells(command: string): boolean {
  const action = { kind: "shell" as const, command, background: false };
  const assessment = assess(action, facts);
  expect(assessment.commandClass).toBe("test");
  const decision = decide(assessment, context());
  return runsTests({
    ...{ type: "call.decided", turn: 1, call: "c", tool: "shell", origin: "model" },
    ...{ action, assessment, decision },
  });
}

test.each([
  "npm test",
  "cd packages/a && npm test 2>&1",
  "npx vitest run -t 'a | b; c' > out.txt",
  'pytest -k "one or two" && cargo test',
])("the end of %j is that of the tests", (command) => {
  expect(tells(command)).toBe(true);
});

test.each([
  "npm test | tail -20",
  "npm test 2>&1 | tee log",
  "pytest || true",
  "npm test; echo done",
  "npm test &",
  "npm test\necho done",
  "! pytest",
  "(pytest; true)",
  'pytest "$(true; echo a)"',
])("the end of %j is another's", (command) => {
  expect(tells(command)).toBe(false);
});
