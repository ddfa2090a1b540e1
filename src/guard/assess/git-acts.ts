// What fettle itself writes to the repository of a task, judged by what it amounts to in git's own words.
import { shellWord } from "../../base/shell-word.ts";
import type { ActionOf } from "../../protocol/action.ts";
import { type Context, note } from "../command-line/context/context.ts";
import { hidden } from "../command-line/context/hide.ts";

/** Nothing that a model asks for is tagged so. */
export const ownGit = "own-git";

/** The command line that it amounts to, which rules know it by. */
const lineOf = ({ op, words }: ActionOf<"git">): string => ["git", op, ...words].map(shellWord).join(" ");

export function judgeGitAct(action: ActionOf<"git">, outer: Context): void {
  const { findings } = outer.run;
  const at = { ...outer, part: lineOf(action) };
  findings.segment(at.part);
  for (const word of action.words) for (const found of hidden(word, false)) findings.add(at.part, found);
  findings.effect(at.part, "vcs", action.op, "reversible");
  note(at, "L1", "git.own", "is fettle's own write to the repository, for a task that a person has begun", ownGit);
}
