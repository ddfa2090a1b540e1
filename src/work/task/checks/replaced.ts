// Old tests that are not there any more, or fail in their old form: only those may that the signed plan names.
import type { Evidence } from "../../../protocol/evidence.ts";
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import { opened } from "../machine/envelope.ts";
import { isReplaced, moduleOf, replacedFiles } from "../machine/replaces.ts";
import { readReport } from "../proof/report.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { filled } from "../stacks/suite.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import { textIn } from "../world/texts.ts";
import type { CommandRun } from "../world/commands.ts";
import { isTest } from "./definitions.ts";
import { beyond, judgeFloor, unnamedHint } from "./floor.ts";

/** Held against the plan only where something is lost, since it may take a run on the base to know in which file a test was. */
export async function judgeOwn(
  work: Work,
  check: RehearsedCheck,
  run: CommandRun,
): Promise<ReturnType<typeof judgeFloor>> {
  const strict = judgeFloor(check, run);
  return strict.lost ? judgeFloor(check, run, await letGo(work, check, strict.lost)) : strict;
}

/** What the plan lets go, each name as often as it does. */
async function letGo(work: Work, check: RehearsedCheck, names: readonly string[]): Promise<string[]> {
  const { plan } = opened(work.frozen);
  const [byName, others] = [true, false].map((named) => names.filter((name) => isReplaced(name, plan) === named));
  const files = replacedFiles(plan, isTest);
  const open = (others ?? []).filter((name) => !files.some((file) => isOf(name, file)));
  const within = open.length === 0 || files.length === 0 ? [] : await testsIn(work, check, files);
  return [...(byName ?? []), ...(others ?? []).filter((name) => !open.includes(name)), ...within];
}

const isOf = (name: string, file: string): boolean =>
  file.endsWith(".py") && [" › ", "."].some((mark) => name.startsWith(`${moduleOf(file)}${mark}`));

/** The tests of these files on the base, by a run of each alone; where the runner takes no file, the names that stand in them. */
export async function testsIn(work: Work, check: RehearsedCheck, files: readonly string[]): Promise<string[]> {
  const { base, lent, copied } = opened(work.frozen);
  const folder = /^cd (\S+) && /.exec(check.run)?.[1] ?? "";
  const here = files.filter((file) => folder === "" || file.startsWith(`${folder}/`));
  const { one } = check;
  if (one === undefined) {
    const texts = await Promise.all(here.map((file) => work.repository.text(base.commit, file)));
    return (check.green ?? []).filter((name) => texts.some((text) => text?.includes(leaf(name))));
  }
  return inScratch(work, { commit: base.commit, lent, copied, second: true }, async (place) => {
    work.tell("which tests are in the files that the plan replaces, as they are on the base:");
    const found: string[] = [];
    for (const file of here) {
      place.forget();
      const run = await work.runIn(place, filled(one, folder === "" ? file : file.slice(folder.length + 1)));
      const { cases } = readReport(check.format as ReportFormat, run.output, undefined, run.exit);
      found.push(...cases.map(({ name }) => name));
    }
    return found;
  });
}

const leaf = (name: string): string =>
  name
    .replace(/\[.*\]$/s, "")
    .split(/ › |::|\//)
    .at(-1) ?? name;

/** Whether the old tests still pass in their old form, but for those that the plan lets go. */
export async function judgeOutgrown(
  work: Work,
  check: RehearsedCheck,
  outgrown: readonly string[],
): Promise<Pick<Evidence, "ok" | "detail">> {
  const open = beyond(outgrown, outgrown.length === 0 ? [] : await letGo(work, check, outgrown));
  return open.length === 0
    ? { ok: true, detail: "" }
    : {
        ok: false,
        detail: `these pass before the change, and fail with it in their old form: ${open.join(", ")}. ${unnamedHint}`,
      };
}

const titled = /\b(?:it|test|specify)(?:\.\w+)*\(\s*(["'`])((?:\\.|(?!\1).)+)\1|^\s*(?:async )?def (test\w*)\(/gm;
const titlesOf = (text: string): string[] =>
  [...text.matchAll(titled)].flatMap(([, , title, name]) => title ?? name ?? []);

/** What the tester hears of old tests whose titles stand no more in their file, and that the plan does not name. */
export async function droppedTests(work: Work, paths: readonly string[]): Promise<string | undefined> {
  const { plan, base } = opened(work.frozen);
  const whole = replacedFiles(plan, isTest);
  const dropped: string[] = [];
  for (const file of paths.filter((each) => !whole.includes(each))) {
    const before = await work.repository.text(base.commit, file);
    const now = new Set(titlesOf((await textIn(work.place.folder, file)) ?? ""));
    dropped.push(...titlesOf(before ?? "").filter((title) => !now.has(title) && !isReplaced(title, plan)));
  }
  return dropped.length === 0
    ? undefined
    : `Your test fails as it should, but old tests are gone from its file: ${dropped.join(", ")}. ${unnamedHint} Put them back; where the request contradicts them, end with \`Replan:\` and their names.`;
}
