// mvp-phase: a phase becomes one story of a user that can be shown, and is planned as one slice through everything that it needs.
import { z } from "zod";
import { Exit } from "../../../protocol/exit.ts";
import { changesOf } from "../facts/changes.ts";
import { oneLine } from "../formats/sections.ts";
import { askAgent } from "../work/asking.ts";
import { oneOf, type ProjectWork } from "../work/work.ts";
import type { Listed } from "./autonomous.ts";
import { documentsOf, groundOf, type PhaseGround } from "./phase-ground.ts";
import { phaseOf, type ProjectStep } from "./step.ts";
import { words } from "./step-words.ts";

/** Ways to make a story smaller, by the first letters of their names (SPIDR). */
const ways = ["spike", "path", "interface", "data", "rule"] as const;

const Story = z.object({
  role: words.describe("who; as in: As a ROLE"),
  want: words.describe("what they do; as in: I want to WANT"),
  benefit: words.describe("what they get from it; as in: so that BENEFIT"),
  slices: z
    .array(
      z.object({ by: z.enum(ways), want: words.describe("what is left of it"), later: words.describe("what waits") }),
    )
    .max(5)
    .default([])
    .describe("only where it is too large to be shown after one plan or two"),
});
type Story = z.infer<typeof Story>;

export const mvpPhase = (listed: Listed): ProjectStep => ({
  name: "mvp-phase",
  phase: phaseOf,
  async run(work) {
    const ground = await groundOf(work);
    const { number } = ground.phase;
    const { kept } = work.world;
    // A run that goes on has its story; what waits is planted once.
    if (kept.get("story") !== true) {
      const told = await storyOf(work, ground);
      const { want, later } = await sliced(work, told);
      const goal = storyText(told, want);
      if (!(await work.confirm(`Phase ${number} becomes this story:\n${goal}\nPlan it?`, work.auto || undefined)))
        return { text: "Nothing was written.", exit: Exit.stopped };
      await work.write(async (files, at) => changesOf(files, { kind: "phase.edit", phase: number, goal }, at));
      if (later !== undefined)
        await work.write(async (files, at) =>
          changesOf(files, { kind: "seed.plant", text: oneLine(later), when: `phase ${number} is done` }, at),
        );
      await kept.set("story", true);
      await work.commitDocuments(`docs(${number}): the story of the phase`);
    }
    const inner = { words: [number], options: { mvp: true, ...(work.auto && { auto: true }) } };
    const plan = listed.named("plan");
    if (!plan) throw new TypeError("there is a step plan");
    return plan.run(work.within("plan", inner), inner);
  },
});

async function storyOf(work: ProjectWork, ground: PhaseGround): Promise<Story> {
  const data = await documentsOf(work, ground, ["CONTEXT", "SPEC"]);
  return askAgent(work, {
    ...{ agent: "interviewer", about: `story of phase ${ground.phase.number}`, answer: Story },
    text: `Say what this phase is for one user, as one story. Where it is too large, say by which slices it becomes smaller, the most useful first.\n\n${ground.told}`,
    ...(data !== "" && { data: { text: data, source: "documents of the phase" } }),
  });
}

/** What is built now, and what waits. */
async function sliced(work: ProjectWork, { want, slices }: Story): Promise<{ want: string; later?: string }> {
  if (slices.length === 0) return { want };
  const list = slices.map(
    (each, at) => `${at + 1}: ${oneLine(each.want)} (by ${each.by}; later: ${oneLine(each.later)})`,
  );
  const options = [...slices.map((_each, at) => String(at + 1)), "all"];
  const question = `The story is large: ${oneLine(want)}\n${list.join("\n")}\nWhich slice first?`;
  const chosen = await work.ask(question, options, work.auto ? "1" : undefined, oneOf(options));
  const slice = slices[Number(chosen) - 1];
  return slice ? { want: slice.want, later: slice.later } : { want };
}

const storyText = ({ role, benefit }: Story, want: string): string =>
  `As ${article(oneLine(role))}, I want to ${oneLine(want).replace(/^to /i, "")}, so that ${oneLine(benefit).replace(/^so that /i, "")}`;

const article = (role: string): string =>
  /^(?:an?|the) /i.test(role) ? role : `${/^[aeiou]/i.test(role) ? "an" : "a"} ${role}`;
