// fettle's own git without a gate, for tests of what is done with it.
import { type GitActs, GitWriter } from "../../../src/work/task/world/git-acts.ts";
import { gitHand } from "../../../src/io/git/hand.ts";

export const ungated: GitActs = {
  act: (act, run) => run(new GitWriter(act.folder, gitHand({ kind: "git", task: "00000000", ...act }))),
  tidy: (act, run) => ungated.act(act, run),
};
