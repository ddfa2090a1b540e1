// The branch that a phase or a milestone is worked on (git.branching_strategy): made where the person is, or taken up again.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ProjectPhase, StepArguments } from "../../../protocol/project.ts";
import type { ReadSettings } from "../facts/settings.ts";
import type { ProjectWork } from "../work/work.ts";
import { numbered, slugOf } from "./step-words.ts";

const fault = (text: string, remedy: string): Fault => new Fault("project.branch", Exit.failed, text, remedy);

interface Named {
  phase: Pick<ProjectPhase, "number" | "name">;
  /** As STATE.md calls it; empty where it does not. */
  milestone: string;
}

/** Undefined: work stays on the branch that is checked out. Throws a Fault where its template makes no name of one. */
export function wantedBranch(settings: ReadSettings, named: Named): string | undefined {
  const name = byTemplate(settings, named);
  if (name === undefined || isBranch(name)) return name;
  const key = `git.${settings["git.branching_strategy"]}_branch_template`;
  throw fault(`${name.slice(0, 80)} is no name of a branch.`, `Change it: fettle project settings set ${key} NAME`);
}

function byTemplate(settings: ReadSettings, { phase, milestone }: Named): string | undefined {
  switch (settings["git.branching_strategy"]) {
    case "phase":
      return filled(settings["git.phase_branch_template"], {
        ...{ phase: numbered(phase.number), slug: slugOf(phase.name), milestone },
      });
    case "milestone":
      return filled(settings["git.milestone_branch_template"], {
        ...{
          milestone: milestone === "" ? "milestone" : milestone,
          slug: slugOf(milestone.replace(/^v[\d.]+\s*/, "")),
        },
      });
    default:
      return undefined;
  }
}

const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);

/** Neither an option of git nor a reference of another kind can be written with it. */
const isBranch = (name: string): boolean =>
  /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/.test(name) &&
  !/\.\.|\.(?:\/|$)|\.lock(?:\/|$)|^refs\/|^HEAD$/.test(name) &&
  name.length <= 200;

/** What a branch goes into, as the person or the project says; undefined where neither does. */
export function baseOf({ base }: StepArguments["options"], settings: ReadSettings): string | undefined {
  if (typeof base === "string") return base;
  const name = settings["git.base_branch"];
  if (name === "" || isBranch(name)) return name === "" ? undefined : name;
  throw fault(
    `${name.slice(0, 80)} is no name of a branch.`,
    "Change it: fettle project settings set git.base_branch NAME",
  );
}

/** Changes that are not committed go along; throws a Fault where git or the history of the branch stands against it. */
export async function onItsBranch(work: ProjectWork, phase: Named["phase"]): Promise<void> {
  const settings = await work.settings();
  const { milestone = "" } = await work.view();
  const name = wantedBranch(settings, { phase, milestone });
  if (name === undefined) return;
  const { repository } = work;
  const here = await repository.branch();
  if (here === name) return;
  const head = await repository.commit("HEAD");
  const there = await repository.commit(`refs/heads/${name}`);
  if (head === undefined) throw fault("There is no commit to begin a branch at.", "Make one: git commit");
  const behind = there !== undefined && (await isWithin(work, there, head));
  if (there !== undefined && !behind && !(await isWithin(work, head, there)))
    throw fault(
      `${name} and ${here ?? "what is checked out"} have commits that the other has not.`,
      `Go on there: git switch ${name}; or put them together first: git merge`,
    );
  const words = there === undefined ? ["-c", name] : behind ? ["-C", name] : [name];
  await work.git.act({ op: "switch", words, folder: repository.folder }, async (git) => {
    const { code, err } = await git.exit(["switch", "--quiet", "--no-guess", ...words]);
    if (code !== 0)
      throw fault(
        `git does not switch to ${name}: ${err.trim().split("\n")[0] ?? ""}`,
        `Commit or stash what is in the way, then: ${work.command()}`,
      );
  });
  const at = (behind ? head : (there ?? head)).slice(0, 9);
  const made = there === undefined ? `made at ${at}` : `taken up again at ${at}`;
  work.tell(`branch ${name} is checked out, ${made}`, true);
}

/** Whether the newer commit has the older one in its history. */
const isWithin = async ({ repository }: ProjectWork, older: string, newer: string): Promise<boolean> =>
  (await repository.line("merge-base", older, newer)) === older;
