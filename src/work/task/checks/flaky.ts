// Tests that are red once and green once on the same files: they are named, and show nothing, neither for nor against.
import type { Rehearsal, RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { opened } from "../machine/envelope.ts";
import { comparable, named } from "../machine/floor.ts";
import { readReport } from "../proof/report.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import type { CommandRun } from "../world/commands.ts";

/** Runs, on the base and on the commit, after which a test is known. */
const rounds = 3;

export const flakyNames = ({ rehearsal }: Pick<TaskRecord, "rehearsal">): ReadonlySet<string> =>
  new Set(rehearsal?.checks.flatMap(({ flaky = [] }) => flaky));

export const redIn = ({ format }: Pick<RehearsedCheck, "format">, run: CommandRun): string[] =>
  readReport(format as ReportFormat, run.output, undefined, run.exit).failed;

export const mayFail = ({ result, flaky = [] }: RehearsedCheck): boolean => result === "red" || flaky.length > 0;

/** Run again, a few times, while nothing but tests that are known to be flaky is red. */
export async function steadily(work: Work, format: string, run: () => Promise<CommandRun>): Promise<CommandRun> {
  const flaky = flakyNames(work.task);
  for (let round = 1; ; round += 1) {
    const found = await run();
    const red = flaky.size > 0 && found.ended === "exited" && found.exit !== 0 ? redIn({ format }, found) : [];
    if (round === rounds || red.length === 0 || !red.every((name) => flaky.has(name))) return found;
  }
}

/** Without the folder that it ran in, so that names are the same wherever it runs. */
export const placeless = (run: CommandRun, folder: string): CommandRun => ({
  ...run,
  output: run.output.replaceAll(`${folder}/`, ""),
});

/**
 * The check with those of its tests as flaky that are so, judged by what is red in `first`: green in another run of the same
 * files, and red at least once on the base, too. What is red in all runs is broken, however unsteady it was before.
 */
export async function lookAgain(
  work: Work,
  check: RehearsedCheck,
  first: CommandRun,
  again: () => Promise<CommandRun>,
): Promise<{ check: RehearsedCheck; unsteady: string }> {
  const { green = [], flaky = [], redBefore = [] } = check;
  const known = new Set([...green, ...flaky]);
  const before = new Set(redBefore);
  const suspects = redIn(check, first).filter((name) => known.has(name) && !before.has(name));
  if (first.ended !== "exited" || !comparable(check) || suspects.length === 0) return { check, unsteady: "" };
  let red = suspects;
  for (let round = 1; round < rounds && red.length > 0; round += 1) {
    work.tell(`${named("red, and run again to see whether it stays so", red)}`);
    const run = await again();
    const now = new Set(redIn(check, run));
    if (run.ended !== "exited") break;
    // Red again, and never seen otherwise: it is no chance.
    if (red.every((name) => now.has(name) && !flaky.includes(name))) break;
    red = red.filter((name) => now.has(name));
  }
  const changing = suspects.filter((name) => !red.includes(name));
  const onBase = await redOnBase(
    work,
    check,
    changing.filter((name) => !flaky.includes(name)),
  );
  const found = changing.filter((name) => flaky.includes(name) || onBase.has(name));
  const fresh = found.filter((name) => !flaky.includes(name));
  if (fresh.length > 0) note(work, check, fresh);
  const own = changing.filter((name) => !found.includes(name));
  return {
    check: { ...check, flaky: [...flaky.filter((name) => !suspects.includes(name)), ...found] },
    unsteady: named(`red in some of ${rounds} runs with the change, and in none of ${rounds} without it`, own),
  };
}

/** Of these tests, those that are red at least once on the base. */
async function redOnBase(work: Work, check: RehearsedCheck, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  if (names.length === 0) return found;
  const { base, lent, copied } = opened(work.frozen);
  work.tell(`${named("red once and green once, and now run on the base", names)}`);
  await inScratch(work, { commit: base.commit, lent, copied }, async (place) => {
    for (let round = 0; round < rounds && found.size < names.length; round += 1) {
      place.forget();
      const red = redIn(check, placeless(await work.runIn(place, check.run), place.folder));
      for (const name of names) if (red.includes(name)) found.add(name);
    }
  });
  return found;
}

/** The pages name it from here on. */
function note(work: Work, check: RehearsedCheck, names: readonly string[]): void {
  const { rehearsal } = work.task;
  if (!rehearsal) return;
  const checks = rehearsal.checks.map((each) =>
    each.run === check.run ? { ...each, flaky: [...new Set([...(each.flaky ?? []), ...names])] } : each,
  );
  const known: Rehearsal = { ...rehearsal, checks };
  work.note({ rehearsal: known }, named("flaky", names));
}
