// What a phase promised: the word of an agent alone shows nothing.
import { afterAll, expect, test } from "vitest";
import type { ProjectWork } from "../../../src/work/project/work/work.ts";
import { judgeTruths } from "../../../src/work/project/verification/truths.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { removeShared, ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

test("a truth holds by a command or by a place that the repository has; else only a person can say", async () => {
  const said = [
    { holds: "yes", why: "src/floor.js:1 floors" },
    { holds: "yes", why: "src/roman.js throws" },
    { holds: "yes", why: "src/floor.js:900 floors" },
    { holds: "yes", why: "I have seen it." },
    { holds: "yes", why: "It runs.", command: "node --test" },
    { holds: "no", why: "It floors." },
  ].map((each, at) => ({ truth: at + 1, ...each }));
  const work = {
    agent: async () => ({ text: "", value: { truths: said }, cost: 0 }),
    repository: new Repository(new ScriptedProject({}).root),
    tell: () => undefined,
  } as unknown as ProjectWork;
  const truths = [...said, { truth: 7 }].map((_, at) => ({ plan: "01-01", text: `Truth ${at + 1}` }));
  const judged = await judgeTruths(work, "", truths);
  expect(judged.map(({ holds }) => holds)).toEqual(["yes", "unsure", "unsure", "unsure", "yes", "no", "unsure"]);
  expect(judged[1]?.why).toBe("called true without a command or a place that shows it: src/roman.js throws");
});
