// plan --prd FILE: the decisions of a document that the person has written stand in for a discussion.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import { textIn } from "../../task/world/texts.ts";
import { askAgent } from "../work/asking.ts";
import { isOutside } from "../facts/check.ts";
import { contextText } from "../formats/context-document.ts";
import type { ProjectWork } from "../work/work.ts";
import { contextAnswer, withNumbers } from "./discuss.ts";
import { fileOf, now, type PhaseGround } from "./phase-ground.ts";

export async function contextFromDocument(work: ProjectWork, ground: PhaseGround, path: string): Promise<void> {
  const text = isOutside(path) ? undefined : await textIn(work.world.root, path);
  const { phase } = ground;
  if (text === undefined || text.trim() === "")
    throw new Fault(
      "project.no-document",
      Exit.usage,
      `There is no text in ${path}.`,
      `Name a file of this project: fettle project plan ${phase.number} --prd docs/prd.md`,
    );
  const files = new Set((await work.repository.commit("HEAD")) === undefined ? [] : await work.repository.files());
  const answer = await askAgent(work, {
    ...{ agent: "interviewer", about: "decisions of the document" },
    text: `Every requirement and choice of this document that concerns the phase is a decision. Write them down.\n\n${ground.told}`,
    data: { text: text.slice(0, 60_000), source: path },
    answer: contextAnswer(files),
  });
  const context = withNumbers(phase.number, phase.name, answer);
  await work.write(async () => ({
    steps: [{ kind: "write", path: fileOf(ground, "CONTEXT"), text: contextText(context, now(work)) }],
    activity: `decisions of phase ${phase.number} taken from ${path}`,
  }));
}
