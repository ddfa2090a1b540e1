// From a plan that fits to an envelope: all that the approval will be of, as it is at this moment.
import { digestOf } from "../../../base/digest.ts";
import { ecosystemOf } from "../../../guard/supply/spelling.ts";
import type { FlaggedDependency, Plan } from "../../../protocol/plan.ts";
import type { Envelope, TaskRecord } from "../../../protocol/task.ts";
import { blastRadius } from "../checks/blast.ts";
import { ciCommand } from "../ci/local.ts";
import { promptsDigest } from "../world/crew.ts";
import { profileNames } from "../checks/dependencies.ts";
import { sealFields } from "../machine/envelope.ts";
import { plannedRemote, remoteProblem } from "../forge/planned.ts";
import { hooksOf } from "../worktree/hooks.ts";
import { lentBeside } from "../checks/install.ts";
import { floorOf } from "../machine/floor.ts";
import { openChecks } from "../checks/floor.ts";
import { reportedForms } from "../checks/reported-form.ts";
import { thoseThatCannotFail } from "../checks/broken-copy.ts";
import { needsTest } from "../machine/invariants.ts";
import { copyable, ignoredIn, lendable } from "../work/isolation.ts";
import { plannedCommands } from "../machine/plan.ts";
import { signedPart } from "../machine/attempts.ts";
import { moreTestPath } from "../proof/more-test.ts";
import { plannedProofs, proofOf, type TestProof } from "../proof/proof.ts";
import { lockfilesOf } from "../machine/scope.ts";
import { profileFor } from "../stacks/list.ts";
import { neededBeside, settledStack } from "../checks/settle.ts";
import { withScripts } from "../checks/sources/package-scripts.ts";
import { ciImages, installedTools } from "../checks/toolchain.ts";
import { sentence } from "./pauses.ts";
import type { StateOutcome, Work } from "../work/work.ts";

/** What a plan is made over: it is made anew when any of it differs. */
export const wishes = ({
  request,
  feedback = [],
  replanned = [],
}: Pick<TaskRecord, "request" | "feedback" | "replanned">): string =>
  digestOf({ request: signedPart(request), feedback, ...(replanned.length > 0 && { replanned }) });

export interface Drawn {
  plan: Plan;
  flagged: FlaggedDependency[];
  base: Envelope["base"];
  files: ReadonlySet<string>;
}

/** Noted in the task; nobody has approved it yet. */
export async function frame(
  work: Work,
  { plan, flagged, base, files }: Drawn,
): Promise<StateOutcome | { problem: string } | undefined> {
  const proofs = needsTest(work.task) ? await plannedProofs(work, plan, base, work.task.rehearsal) : [];
  if ("unreadable" in proofs)
    return { problem: `nobody knows how ${proofs.unreadable} is run: plan the command that runs the tests` };
  const ignored = await ignoredIn(work.repository);
  const { copied, tooLarge } = await copyable(work.repository, ignored);
  const empty = await emptyChecks(work, plan, proofs, { commit: base.commit, lent: lendable(ignored), copied });
  if (empty.length > 0) return { problem: empty.join("; ") };
  const more = needsTest(work.task) ? moreTestPath(plan, files) : undefined;
  const extra = more === undefined ? undefined : await proofOf(work, more, { plan, base });
  const remote = await plannedRemote(work, base.branch);
  const unfit = remoteProblem(work, remote);
  if (unfit !== undefined)
    return { pause: `${sentence(unfit)} Then go on with it: fettle task resume ${work.task.id}` };
  // A wave runs them once, on all of it.
  const hooks = work.task.request.given ? [] : await hooksOf(work.repository, remote);
  const commands = [
    ...plannedCommands(plan).map(({ text }) => text),
    ...ownCommands(work, plan, extra ? [...proofs, extra] : proofs),
    ...(await reportedForms(work, plan, base.commit)),
    ...hooks.map(({ command }) => command),
  ];
  const stack = await settledStack(work, plan);
  const missing = await work.world.missing([...commands, ...neededBeside(work, plan)], stack);
  if (missing.length > 0) return { problem: `the plan cannot be carried out here. ${missing.join(" ")}` };
  const machine = await machineOf(work, commands, { base, files });
  if (tooLarge.length > 0) work.tell(`the worktree begins without ${tooLarge.join(", ")}: too large to be copied`);
  const { temperature, effort } = work.world.settings;
  const envelope = sealFields({
    copied,
    ...{ plan, commands, base, flagged, hooks, hosts: plan.hosts, ...machine },
    ...(remote && { remote }),
    ...(extra && { moreTest: extra.path }),
    intent: work.task.intent?.intent ?? "develop",
    paths: plan.files.map(({ path }) => path),
    inputs: {
      request: wishes(work.task),
      map: work.task.map?.digest ?? "",
      tree: base.tree,
      toolchain: toolchainDigest(machine),
    },
    lockfiles: await lockfilesOf(work.repository, base.commit),
    lent: lentBeside(plan.commands.install, await filledBy(work, plan), lendable(ignored)),
    sampling: { temperature, ...(effort && { effort }), prompts: promptsDigest() },
    strict: work.task.request.strict,
  });
  const blast = await blastRadius(work.repository, plan, { commit: base.commit, files });
  const { digest, inputs, base: at, sampling } = envelope;
  work.world.note("task.envelope", { task: work.task.id, digest, inputs, base: at, sampling });
  work.note({ plan, envelope, blast }, `plan drawn up, ${envelope.digest.slice(0, 12)}`);
  return undefined;
}

/** Planned checks that pass although every file is broken. Programs that stay would be needed for the others to say anything. */
async function emptyChecks(
  work: Work,
  plan: Plan,
  proofs: readonly TestProof[],
  ground: { commit: string; lent: readonly string[]; copied: readonly string[] },
): Promise<string[]> {
  if (plan.background.length > 0) return [];
  const first = plan.files.map(({ path }) => path);
  const open = openChecks(work.task, plan, proofs);
  const found = await thoseThatCannotFail(work, open, { ...ground, first, signed: false });
  return found.map(
    (text) => `${text} passes also where every file is broken, so it shows nothing: plan a command that can fail`,
  );
}

/** What fettle itself runs, besides what the plan names. */
function ownCommands({ task, world }: Work, plan: Plan, proofs: readonly TestProof[]): string[] {
  const syntax = plan.files
    .filter(({ action }) => action !== "delete")
    .flatMap(({ path }) => profileFor(path)?.syntax?.(path) ?? []);
  const ci = ciCommand({ task, world });
  return [
    ...proofs.map(({ command }) => command),
    ...floorOf(task).map(({ run }) => run),
    ...syntax,
    ...(ci === "" ? [] : [ci]),
  ];
}

type Machine = Pick<Envelope, "toolchain" | "images">;

export const toolchainDigest = ({ toolchain, images }: Machine): string => digestOf({ toolchain, images });

async function machineOf(
  { world, repository }: Work,
  commands: readonly string[],
  { base, files }: Pick<Drawn, "base" | "files">,
): Promise<Machine> {
  const all = withScripts(commands, await repository.text(base.commit, "package.json"));
  const toolchain = [...(await world.toolchain(all)), ...(await installedTools(repository.folder, all))];
  return { toolchain, images: await ciImages(repository, base.commit, [...files]) };
}

/** Profiles whose dependency folders the planned install writes. */
async function filledBy({ world }: Work, { commands, dependencies }: Plan): Promise<string[]> {
  const seen = commands.install === undefined ? [] : (await world.foresee(commands.install)).packages;
  const named = [...seen, ...dependencies].flatMap(({ ecosystem }) => ecosystemOf(ecosystem) ?? []);
  return [...new Set(named.map((each) => profileNames[each]))];
}
