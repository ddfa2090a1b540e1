// The same question to several arms at once; none knows of the others.
import { askedIn, authorFor, consult } from "../choice/crew.ts";
import type { Stage } from "./stage.ts";

export interface Draft {
  arm: string;
  text: string;
}

const draftTask = (asked: string): string =>
  `Answer the following as completely as you can, from the files as they are. Your answer is shown to the person as it stands: write to them, and not of yourself.\n\n${asked}`;

/** Those that came; who failed is told. */
export async function draftsOf(stage: Stage, authors: readonly string[], signal: AbortSignal): Promise<Draft[]> {
  const { course, staff } = stage;
  const { turn, ask, plan } = course;
  const task = draftTask(await askedIn(ask.session, turn));
  const definition = authorFor(plan.work.type);
  const asked = authors.map(async (arm) => {
    const said = await consult({ staff, turn, signal }, { definition, task, assigned: { model: arm } });
    return { arm, said };
  });
  const all = await Promise.all(asked);
  if (signal.aborted) return [];
  return all.flatMap(({ arm, said }) => {
    if ("text" in said) return [{ arm, text: said.text }];
    stage.tell(`${arm} has no answer: ${said.failed}`, "warning");
    return [];
  });
}
