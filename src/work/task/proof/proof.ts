import type { Plan } from "../../../protocol/plan.ts";
import type { RehearsedCheck } from "../../../protocol/rehearsal.ts";
import type { Envelope, TaskRecord } from "../../../protocol/task.ts";
import { lookAt, profileFor } from "../stacks/list.ts";
import { ownProof } from "../stacks/own.ts";
import type { Proof, ReportFormat } from "../stacks/profile.ts";
import { filled } from "../stacks/suite.ts";
import type { Work } from "../work/work.ts";

/** How one test of the plan is run so that its report can be read. */
export interface TestProof extends Proof {
  path: string;
}

/**
 * For each test of the plan, by the repository as it is at `base`; none for a plan without tests, and the path of the
 * first whose report nobody here can read.
 */
export async function plannedProofs(
  { repository }: Pick<Work, "repository">,
  { test, commands }: Plan,
  base: Envelope["base"],
  rehearsal?: TaskRecord["rehearsal"],
): Promise<TestProof[] | { unreadable: string }> {
  if (!test) return [];
  const text = (name: string) => repository.text(base.commit, name);
  const look = await lookAt(await repository.files(base.commit), text, commands.test);
  const proofs: TestProof[] = [];
  for (const path of test.paths) {
    const seen = rehearsedProof(path, rehearsal?.checks ?? [], commands.test);
    const proof = seen ?? profileFor(path)?.proof?.(path, look) ?? ownProof(path, look);
    if (!proof) return { unreadable: path };
    proofs.push({ path, ...proof });
  }
  return proofs;
}

const runners: readonly (readonly [RegExp, readonly ReportFormat[], RegExp])[] = [
  [/\.py$/, ["junit", "unittest"], /\b(?:pytest|unittest)\b/],
  [
    /\.[cm]?[jt]sx?$/,
    ["tap", "vitest-json", "jest-json", "mocha-json", "any"],
    /\b(?:vitest|jest|mocha|ava|tape|--test)(?= |$)/,
  ],
];

/** One file of a suite that was seen to run, with its environment and flags; another runner that the plan names goes before it. */
function rehearsedProof(path: string, checks: readonly RehearsedCheck[], planned = ""): Proof | undefined {
  const [, formats = [], named] = runners.find(([pattern]) => pattern.test(path)) ?? [];
  const wanted = named?.exec(planned)?.[0];
  const found = checks
    .filter(
      ({ kind, result, one, onlyWhole, format }) =>
        kind === "test" &&
        /^(?:works|red)$/.test(result) &&
        (one || onlyWhole) &&
        formats.includes(format as ReportFormat),
    )
    .map((check) => ({ ...check, folder: /^cd (\S+) && /.exec(check.run)?.[1] ?? "" }))
    .filter(({ folder, run }) => (folder === "" || path.startsWith(`${folder}/`)) && run.includes(wanted ?? ""))
    .toSorted((left, right) => right.folder.length - left.folder.length)[0];
  if (found?.onlyWhole) return { command: found.run, format: found.format as ReportFormat, whole: true };
  if (!found?.one) return undefined;
  const file = found.folder === "" ? path : path.slice(found.folder.length + 1);
  return { command: filled(found.one, file), format: found.format as ReportFormat };
}

/** How one file would be run as a test of the plan; undefined where nobody could read its report. */
export async function proofOf(
  work: Pick<Work, "task" | "repository">,
  file: string,
  envelope: Pick<Envelope, "plan" | "base"> | undefined = work.task.envelope,
): Promise<TestProof | undefined> {
  if (!envelope?.plan.test) return undefined;
  const plan = { ...envelope.plan, test: { ...envelope.plan.test, paths: [file] } };
  const found = await plannedProofs(work, plan, envelope.base, work.task.rehearsal);
  return "unreadable" in found ? undefined : found[0];
}

/** As it was when the plan was frozen; with the test that was added since. */
export async function proofsOf(work: Pick<Work, "task" | "repository">): Promise<TestProof[]> {
  const { envelope, locks = [] } = work.task;
  const { test } = envelope?.plan ?? {};
  const added = locks.filter((lock) => lock.path === envelope?.moreTest).map((lock) => lock.path);
  const plan = envelope && test && { ...envelope.plan, test: { ...test, paths: [...test.paths, ...added] } };
  const proofs = envelope && (await plannedProofs(work, plan ?? envelope.plan, envelope.base, work.task.rehearsal));
  if (!proofs || "unreadable" in proofs) throw new Error("a plan is frozen only when its tests can be read");
  return proofs;
}
