// A planned run of tests, with the report of its runner where that is known: what was red before is told apart by name only there.
import type { Plan } from "../../../protocol/plan.ts";
import { isSameRun, standFor } from "../machine/floor.ts";
import { lookAt } from "../stacks/list.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { suiteOf } from "../stacks/suite.ts";
import type { Work } from "../work/work.ts";
import { knownRed } from "./floor.ts";

export interface ReportedForm {
  command: string;
  format: ReportFormat;
}

/** As it is planned where nothing was red before, which its exit code says as well. `commit`: the base of the plan. */
export async function reportedForm(work: Work, planned: string, commit: string): Promise<ReportedForm> {
  const plain: ReportedForm = { command: planned, format: "any" };
  if (knownRed(work.task).size === 0) return plain;
  const look = await lookAt(await work.repository.files(commit), (name) => work.repository.text(commit, name));
  const suite = await suiteOf(planned, look);
  return suite && isSameRun(suite.command, planned) ? { command: suite.command, format: suite.format } : plain;
}

/** The forms of what a plan runs besides the repository's own checks. */
export async function reportedForms(work: Work, { commands, acceptance }: Plan, commit: string): Promise<string[]> {
  const planned = [commands.test, ...acceptance.map(({ command }) => command)].flatMap((text) => text ?? []);
  const open = planned.filter((text) => standFor(work.task, text).length === 0);
  const forms = await Promise.all(open.map((text) => reportedForm(work, text, commit)));
  return forms.map(({ command }) => command);
}
