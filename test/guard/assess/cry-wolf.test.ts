// A card says what would happen, and nothing that would not.
import { expect, test } from "vitest";
import { decide } from "../../../src/guard/decide.ts";
import { fixedContext, layeredContext } from "../../../src/guard/explain.ts";
import { judge, worldOf } from "./facts.ts";

const world = worldOf({
  files: {
    "/w/package.json": "{}",
    "/w/node_modules/.bin/frobber": "x",
    "/w/node_modules/.bin/vercel": "x",
    "/w/node_modules/.bin/rimraf": "x",
  },
  links: { "/w/node_modules/.bin/away": "/opt/away" },
});
const effectsOf = (command: string, kind: string) =>
  judge(command, world)
    .effects.filter((effect) => effect.kind === kind)
    .map(({ target, undo }) => `${target} ${undo}`);

test.each([
  ["git archive HEAD -o a.tar", ["archive compensable"]],
  ["git rebase main", ["rebase compensable"]],
  ["git stash", ["stash reversible"]],
  ["git switch main", ["switch compensable"]],
  ["git push", ["push irreversible"]],
])("%s is named after its own subcommand", (command, effects) => {
  expect(effectsOf(command, "vcs")).toEqual(effects);
});

test("a program of a row that stands for many is named itself", () => {
  expect(effectsOf("vercel deploy", "network")).toEqual(["vercel irreversible"]);
});

test("what lies in the private temporary folder is not irreversible", () => {
  expect(effectsOf("echo x > /home/u/.cache/fettle/tmp/probe", "write")).toEqual([
    "/home/u/.cache/fettle/tmp/probe reversible",
  ]);
  expect(effectsOf("echo x > /tmp/probe", "write")).toEqual(["/tmp/probe irreversible"]);
});

test.each(["git switch -c next", "git checkout -b next", "git switch --create next HEAD"])(
  "%s begins a branch at the current commit and is told",
  (command) => {
    expect(decide(judge(command, world), fixedContext)).toMatchObject({ verdict: "notify", risk: "L1" });
  },
);
test.each([
  ...["git switch -c next main", "git switch -C next", "git checkout -b next origin/main", "git switch next"],
  ...["git checkout -b $NAME", "git checkout -b -- next", "git switch -c next --orphan", "git checkout -b next a.txt"],
])("%s asks", (command) => {
  expect(decide(judge(command, world), layeredContext).verdict).not.toBe("notify");
});

test.each([
  "npx frobber --check .",
  "npx --no-install frobber",
  "pnpm exec frobber",
  "npm exec -- frobber",
  "yarn frobber",
])("%s downloads nothing: the project has it", (command) => {
  const found = judge(command, world);
  expect(found.tags).not.toContain("install");
  expect(found.tags).not.toContain("network");
  expect(decide(found, fixedContext).verdict).toBe("ask");
  expect(decide(found, layeredContext)).toMatchObject({ verdict: "notify", contained: true });
});
test.each(["npx rimraf src", "pnpm exec rimraf src", "yarn rimraf src"])(
  "%s downloads nothing, and what it deletes waits for an answer on a layer",
  (command) => {
    expect(decide(judge(command, world), fixedContext).verdict).toBe("ask");
    expect(decide(judge(command, world), layeredContext)).toMatchObject({ verdict: "notify", quiet: true });
  },
);
test.each([
  ...["npx elsewhere", "npx frobber@2", "npx -y frobber", "npx --package=x frobber", "pnpm dlx frobber", "npx away"],
  ...["npx vercel deploy", "npx frobber publish"],
  ...["npx -c 'frobber && npm i x'", "cd elsewhere && npx frobber", "npx $TOOL"],
])("%s is asked: it downloads, or is known to do more", (command) => {
  expect(["ask", "deny"]).toContain(decide(judge(command, world), layeredContext).verdict);
});
