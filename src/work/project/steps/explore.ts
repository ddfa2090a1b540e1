// explore: questions about an idea, one at a time, until it is clear what it is; then a todo, a seed, a note or a phase, as the person says.
import { z } from "zod";
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { PlanningChange } from "../../../protocol/project.ts";
import { changesOf } from "../facts/changes.ts";
import { oneLine } from "../formats/sections.ts";
import { askAgent } from "../work/asking.ts";
import { oneOf } from "../work/work.ts";
import { projectBrief } from "./new.ts";
import type { ProjectStep } from "./step.ts";
import { listOf, words } from "./step-words.ts";

const Turn = z.object({
  question: z.string().max(600).default("").describe("the next one; empty when nothing is left to ask"),
  options: listOf(4),
  summary: words.describe("the idea in two or three sentences, as it is understood now"),
  kind: z.enum(["todo", "seed", "note", "phase"]).describe("what it should become"),
});

const mostQuestions = 6;
const ways = ["todo", "seed", "note", "phase", "nothing"] as const;

export const explore: ProjectStep = {
  name: "explore",
  async run(work, { words: said }) {
    const idea = said.join(" ").trim();
    if (idea === "")
      throw new Fault(
        "project.explore",
        Exit.usage,
        "Nothing is said to explore.",
        'Say it: fettle project explore "offline mode"',
      );
    const brief = projectBrief((await work.files()).texts.get("PROJECT.md"));
    const talk: string[] = [];
    let turn: z.infer<typeof Turn>;
    for (let asked = 0; ; asked += 1) {
      turn = await askAgent(work, {
        ...{ agent: "interviewer", about: `${oneLine(idea)}, question ${asked + 1}`, answer: Turn },
        text: [
          "A person explores an idea with you. Ask what makes it clearer, one question at a time; ask nothing that is answered already.",
          brief,
          `The idea: ${idea}`,
          ...talk,
          ...(asked === mostQuestions ? ["Ask nothing more."] : []),
        ].join("\n\n"),
      });
      if (turn.question === "" || asked === mostQuestions) break;
      const answer = await work.ask(turn.question, turn.options, work.auto ? "up to you" : undefined);
      talk.push(`You asked: ${turn.question}\nThe person answered: ${answer}`);
    }
    const question = `${turn.summary}\nWhat shall it become? (${turn.kind} is proposed)`;
    const way = await work.ask(question, [...ways], work.auto ? turn.kind : undefined, oneOf(ways));
    const summary = oneLine(turn.summary);
    const change = changeFor(way, { idea: oneLine(idea), summary });
    if (!change) return { text: "Nothing was written.", data: { summary, kept: "nothing" } };
    await work.write(async (files, at) => changesOf(files, change, at));
    await work.commitDocuments(`docs: ${oneLine(idea).slice(0, 50)}`);
    return { text: `Written down as a ${way}: ${summary}`, data: { summary, kept: way } };
  },
};

function changeFor(way: string, { idea, summary }: { idea: string; summary: string }): PlanningChange | undefined {
  switch (way) {
    case "todo":
      return { kind: "todo.add", text: summary };
    case "seed":
      return { kind: "seed.plant", text: summary };
    case "note":
      return { kind: "note.add", text: summary };
    case "phase":
      return { kind: "phase.add", name: idea.slice(0, 60), goal: summary };
    default:
      return undefined;
  }
}
