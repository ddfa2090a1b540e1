// What a person agrees to: they see all of it before it is written, correct it in their own words, and nothing else is decided.
import { afterAll, expect, test } from "vitest";
import { type AgentScript, context, goodAgents } from "../../scenarios/project-agents.ts";
import { removeShared, ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

async function begun(interviewer: AgentScript): Promise<ScriptedProject> {
  const first = new ScriptedProject(goodAgents);
  first.config({});
  expect((await first.run("new", ["@idea.md"], { auto: true })).exit ?? 0).toBe(0);
  const made = new ScriptedProject({ ...goodAgents, interviewer }, Object.fromEntries(first.texts));
  made.config({ workflow: { max_discuss_passes: 1 } });
  return made;
}
const say =
  (more: (told: string) => unknown): AgentScript =>
  (asked) =>
    more(asked.told) ?? goodAgents["interviewer"]?.(asked);
const contextOf = ({ texts }: ScriptedProject) => texts.get("phases/01-whole-numbers/01-CONTEXT.md");

test("where nothing is open nothing is decided, whatever an agent writes down", async () => {
  const nothing = (told: string) => (told.includes("Which grey areas") ? { areas: [] } : undefined);
  const invents = await begun(say(nothing));
  expect(await invents.run("discuss", ["1"])).toMatchObject({
    exit: 1,
    text: expect.stringContaining("nothing was answered, so nothing is decided"),
  });
  expect(contextOf(invents)).toBeUndefined();
  const honest = await begun(
    say((told) => nothing(told) ?? (told.includes("Write down what") ? { ...context, areas: [] } : undefined)),
  );
  expect((await honest.run("discuss", ["1"])).exit ?? 0).toBe(0);
  expect(honest.told.join("\n")).toContain("Nothing was decided about phase 1");
  expect(honest.questions).toEqual([]);
  expect(contextOf(honest)).not.toMatch(/D-\d/);
});

test("a decision comes from an answer that was given, and is shown before it is written", async () => {
  const more = (answer: number) => ({
    ...context,
    areas: [{ name: "Halves", decisions: [{ text: "Halves go up", answer }] }],
  });
  const far = await begun(say((told) => (told.includes("Write down what") ? more(2) : undefined)));
  far.answers = ["all", "up"];
  expect(await far.run("discuss", ["1"])).toMatchObject({
    text: expect.stringContaining("there are 1 answers; what nobody has answered is not decided"),
  });
  const one = await begun(
    say((told) =>
      told.includes("Correction 1: name the sign")
        ? { ...context, areas: [{ name: "Halves", decisions: [{ text: "Halves go up, away from zero", answer: 2 }] }] }
        : undefined,
    ),
  );
  one.answers = ["all", "up", "name the sign", "yes"];
  expect((await one.run("discuss", ["1"])).exit ?? 0).toBe(0);
  expect(one.questions.slice(2)).toEqual([
    expect.stringMatching(/\(round 1\):\n {2}D-01 Halves go up\nIs that what you decided/),
    expect.stringMatching(/\(round 2\):\n {2}D-01 Halves go up, away from zero\n/),
  ]);
  expect(contextOf(one)).toContain("**D-01:** Halves go up, away from zero");
  const no = await begun(say(() => undefined));
  no.answers = ["all", "up", "no"];
  expect(await no.run("discuss", ["1"])).toMatchObject({
    exit: 5,
    text: expect.stringContaining("nothing was written"),
  });
  expect(contextOf(no)).toBeUndefined();
});

test("a project and its phases are shown whole, and corrected in the words of the person", async () => {
  const one = new ScriptedProject(goodAgents);
  one.config({});
  one.answers = ["no", "it is for Python", "yes", "no bankers", "two phases", "yes"];
  expect((await one.run("new", ["round"])).exit ?? 0).toBe(0);
  expect(
    one.asked
      .filter(({ text }) => text.includes("Describe this project"))
      .map(({ text }) => text.includes("it is for Python")),
  ).toEqual([false, true]);
  expect(
    one.asked.filter(({ agent }) => agent === "roadmapper").map(({ text }) => /otherwise: (.*)/.exec(text)?.[1]),
  ).toEqual([undefined, "no bankers", "no bankers; then: two phases"]);
  const roadmap = one.questions.find((text) => text.includes("The phases (round 1)")) ?? "";
  expect(roadmap).toContain(
    "  1. Whole numbers: 1.5 becomes 2\n     ROUND-01 A caller rounds 1.5 to 2\n     done when: round(1.5) is 2",
  );
  expect(one.questions.find((text) => text.includes("Is that your project"))).toContain("- Round half up");
});
