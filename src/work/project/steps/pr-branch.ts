// pr-branch: the commits of a branch without those of the planning files, on a branch of their own for who reviews the code.
import { counted } from "../../../base/counted.ts";
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import { authorship } from "../../task/world/git.ts";
import { usualBase } from "../shipping/proposal.ts";
import { baseOf } from "./branching.ts";
import { historyOf, isPlanning } from "./history.ts";
import type { ProjectStep } from "./step.ts";
import { entriesWithPlanning } from "./undo.ts";

const fault = (text: string, remedy: string): Fault => new Fault("project.pr-branch", Exit.usage, text, remedy);

export const prBranch: ProjectStep = {
  name: "pr-branch",
  withoutModel: true,
  async run(work, { options }) {
    const { repository } = work;
    const here = await repository.branch();
    if (here === undefined) throw fault("No branch is checked out.", "Check one out first: git switch");
    const base = baseOf(options, await work.settings()) ?? (await usualBase(work, "origin"));
    const from = base === undefined ? undefined : await repository.line("merge-base", base, "HEAD");
    if (base === undefined || from === undefined)
      throw fault("It is not known what the branch goes into.", `Say it: ${work.command()} --base BRANCH`);
    const own = (await historyOf(repository, `${from}..HEAD`)).filter((commit) => !isPlanning(commit)).toReversed();
    if (own.length === 0)
      throw fault(`Nothing but planning files was changed since ${base}.`, "Nothing has to be done.");
    const name = typeof options["name"] === "string" ? options["name"] : `${here}-pr`;
    const reference = `refs/heads/${name}`;
    if ((await repository.line("symbolic-ref", "--quiet", "--short", "HEAD")) === name)
      throw fault(`${name} is checked out.`, "Give it another name: --name NAME");
    const before = await repository.commit(reference);
    const env = authorship(await work.world.author());
    const folder = repository.folder;
    const head = await work.git.act(
      { op: "commit", words: ["--message", `${counted(own.length, "commit")} for ${name}`], folder },
      async (git) => {
        let current = from;
        for (const { id, at, subject } of own) {
          const tree = (await git.run(["mktree"], { input: await entriesWithPlanning(repository, id, from) })).trim();
          if (tree === (await repository.tree(current))) continue;
          const body = (await repository.line("log", "-1", "--format=%B", id)) ?? subject;
          const author = ((await repository.line("log", "-1", "--format=%an%n%ae", id)) ?? "").split("\n");
          const who = { GIT_AUTHOR_NAME: author[0] ?? "", GIT_AUTHOR_EMAIL: author[1] ?? "", GIT_AUTHOR_DATE: at };
          const args = ["commit-tree", tree, "-p", current, "-F", "-"];
          current = (await git.run(args, { env: { ...env, ...who }, input: `${body}\n` })).trim();
        }
        return current;
      },
    );
    await work.git.act({ op: "branch", words: ["--force", name, head], folder }, async (git) => {
      await git.run(["update-ref", "-m", "fettle pr-branch", reference, head, before ?? "0".repeat(head.length)]);
    });
    const data = { branch: name, base, commit: head, commits: own.map(({ id }) => id) };
    return {
      text: `${name} has ${counted(own.length, "commit")} without planning files; push it: git push origin ${name}`,
      data,
    };
  },
};
