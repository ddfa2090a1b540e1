// What a person has said in a discussion is not lost on the way to CONTEXT.md.
import { afterAll, expect, test } from "vitest";
import { type AgentScript, goodAgents } from "../../scenarios/project-agents.ts";
import { plannedProject } from "./planned.ts";
import { removeShared, type ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

const good = (asked: Parameters<AgentScript>[0]) => (goodAgents["interviewer"] as AgentScript)(asked) as object;
const writes = (told: string) => told.includes("Write down what was decided");

/** Before its first phase was discussed. */
async function project(interviewer: AgentScript): Promise<ScriptedProject> {
  const one = await plannedProject({ interviewer });
  for (const path of one.texts.keys()) if (/-(?:CONTEXT|DISCUSSION-LOG|PLAN)\.md$/.test(path)) one.texts.delete(path);
  return one;
}

/** Whoever answers a question about decisions says `wishes` in their order, and of everything else the same. */
function answering(one: ScriptedProject, wishes: readonly string[]): void {
  let round = 0;
  const shift = () => (/Is that what you decided/.test(one.questions.at(-1) ?? "") ? wishes[round++] : "halves up");
  Object.assign(one, { answers: { shift } });
}

test("a second correction does not take the first one back, and is said of what stood there", async () => {
  const orders: string[] = [];
  const one = await project((asked) => {
    if (writes(asked.told)) orders.push(asked.told);
    return good(asked);
  });
  answering(one, ["down below zero", "and never to even", "yes"]);
  await one.run("discuss", ["1"], { all: true });
  expect(orders).toHaveLength(3);
  expect(orders[2]).toMatch(
    /Correction 1: down below zero[^]*Correction 2: and never to even[^]*You had written down:\n.*D-01/,
  );
});

test("answers from which no decision comes are shown to the person before anything is written", async () => {
  const one = await project((asked) => (writes(asked.told) ? { ...good(asked), areas: [] } : good(asked)));
  answering(one, ["no"]);
  const end = await one.run("discuss", ["1"], { all: true });
  expect(one.questions.at(-1)).toContain("No decision about phase 1 comes from your answers");
  expect([end.exit, [...one.texts.keys()].filter((path) => path.endsWith("-CONTEXT.md"))]).toEqual([5, []]);
});
