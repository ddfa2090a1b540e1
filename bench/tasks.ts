// A whole task over each of the small repositories with a scripted model that behaves as real ones do, beside the same work as a turn.
import { figuresText, play, type Figures } from "../test/real/work/task/repositories/play.ts";
import { smallRepositories } from "../test/real/work/task/repositories/list.ts";
import { buildOnce } from "../test/support/program.ts";

export async function tasksBench(): Promise<string> {
  await buildOnce();
  const done: Figures[] = [];
  const left: string[] = [];
  for (const repository of smallRepositories) {
    const lacks = repository.lacks();
    if (lacks === undefined) done.push(await play(repository));
    else left.push(`${repository.name}: not run, ${lacks}`);
  }
  return [
    "tasks: a governed task beside the same work as a plain turn; own s is what is not spent in commands, of which the checks are most",
    figuresText(done),
    ...left,
  ].join("\n");
}
