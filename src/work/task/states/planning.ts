import { digestOf } from "../../../base/digest.ts";
import { checkName } from "../../../guard/supply/names.ts";
import { ecosystemOf } from "../../../guard/supply/spelling.ts";
import type { Envelope, Plan, TaskRecord } from "../../../protocol/task.ts";
import { ciCommand } from "../ci/local.ts";
import { jsonOf, promptsDigest } from "../crew.ts";
import { mapText } from "../discovery.ts";
import { sealFields } from "../envelope.ts";
import { commitHooks } from "../hooks.ts";
import { needsTest } from "../invariants.ts";
import { lendable } from "../isolation.ts";
import { blastRadius, planLines, plannedCommands, planProblem, planSchema, readPlan } from "../plan.ts";
import { baseMoved, lockfilesOf } from "../scope.ts";
import { plannedProofs, type TestProof } from "../proof/proof.ts";
import { profileFor } from "../stacks/list.ts";
import type { Came, TaskState, Work } from "../work.ts";

const attempts = 3;

/** A model plans, a person approves, and the plan is frozen, before there is a branch. */
export const planning: TaskState = {
  name: "PLANNING",
  async work(work) {
    for (;;) {
      const stop = await unclean(work);
      if (stop) return stop;
      if (!(await stillFits(work))) {
        const failed = await draw(work);
        if (failed) return failed;
      }
      const came = await sign(work);
      if (came) return came;
    }
  },
};

/** Drawn up before a crash or a pause, over the same base, for all that the person has said. */
async function stillFits({ task, repository }: Work): Promise<boolean> {
  const { envelope } = task;
  if (!envelope || envelope.inputs.request !== wishes(task)) return false;
  return (await baseMoved(repository, envelope)) === undefined;
}

const wishes = ({ request, feedback = [] }: TaskRecord): string => digestOf({ request, feedback });

async function unclean({ repository }: Work): Promise<Came | undefined> {
  if ((await repository.branch()) === undefined)
    return { to: "FAILED", detail: "No branch is checked out, so there is nothing that the work could go back to." };
  const changed = await repository.changed(true);
  const [first, ...more] = changed.filter(({ status, path }) => status !== "??" || path.endsWith(".gitignore"));
  if (!first) return undefined;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return { to: "FAILED", detail: `The working tree is not clean: ${first.path}${others}. Commit or stash it first.` };
}

/** A plan that fits, as an envelope that nobody has approved yet. */
async function draw(work: Work): Promise<Came | undefined> {
  const base = await baseOf(work);
  const files = new Set(await work.repository.files(base.commit));
  const { intent } = work.task;
  const limits = {
    intent: intent?.intent ?? "develop",
    docsOnly: intent?.docsOnly ?? false,
    files,
    maxFiles: work.world.settings.maxFiles,
  };
  let problem = "";
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const end = await work.send(orders(work, problem));
    if (end.stop.kind !== "done") return { to: "FAILED", detail: `There is no plan: ${end.stop.text}` };
    const read = readPlan(jsonOf(end.text));
    const found = "problem" in read ? read : planProblem(read.plan, limits);
    if ("scope" in found && found.scope) return { to: "FAILED_BY_SCOPE", detail: found.scope };
    problem = found.problem ?? "";
    if (problem !== "" || !("plan" in read)) {
      work.tell(`The plan does not fit: ${problem}.`, false);
      continue;
    }
    return frame(work, read.plan, base);
  }
  return { to: "FAILED", detail: `There is no plan that fits: ${problem}.` };
}

async function baseOf({ repository }: Work): Promise<Envelope["base"]> {
  const branch = (await repository.branch()) ?? "";
  const commit = (await repository.commit("HEAD")) ?? "";
  return { branch, commit, tree: (await repository.tree("HEAD")) ?? "" };
}

function orders({ task }: Work, problem: string) {
  const { request, map, intent, feedback = [], plan } = task;
  const parts = [
    `Plan this ${intent?.intent ?? "change"}.`,
    ...(map ? [`The repository:\n${mapText(map)}`] : []),
    ...(feedback.length > 0 && plan ? [`Your plan so far:\n${JSON.stringify(plan)}`] : []),
    ...feedback.map((text) => `The person wants it otherwise: ${text}`),
    ...(problem === "" ? [] : [`Your last plan did not fit: ${problem}. Plan again.`]),
    `The task:${request.source === undefined ? `\n${request.text}` : ""}`,
  ];
  return {
    mission: "architect" as const,
    text: parts.join("\n\n"),
    schema: planSchema(),
    ...(request.source !== undefined && { data: { text: request.text, source: request.source } }),
  };
}

async function frame(work: Work, plan: Plan, base: Envelope["base"]): Promise<Came | undefined> {
  const proofs = needsTest(work.task) ? await plannedProofs(work, plan, base) : [];
  if ("unreadable" in proofs)
    return { to: "FAILED", detail: `fettle cannot read the reports of the tests in ${proofs.unreadable} yet.` };
  const commands = [
    ...plannedCommands(plan).map(({ text }) => text),
    ...ownCommands(work, plan, proofs),
    ...(await commitHooks(work.repository)),
  ];
  const missing = await work.world.missing(commands, plan.stack);
  if (missing.length > 0) return { to: "FAILED", detail: `The plan cannot be carried out here. ${missing.join(" ")}` };
  const toolchain = await work.world.toolchain(commands);
  const envelope = sealFields({
    ...{ plan, commands, base, toolchain, hosts: plan.hosts },
    intent: work.task.intent?.intent ?? "develop",
    paths: plan.files.map(({ path }) => path),
    inputs: {
      request: wishes(work.task),
      map: work.task.map?.digest ?? "",
      tree: base.tree,
      toolchain: digestOf(toolchain),
    },
    lockfiles: await lockfilesOf(work.repository, base.commit),
    lent: await lendable(work.repository),
    sampling: { temperature: work.world.settings.temperature, prompts: promptsDigest() },
    strict: work.task.request.strict,
  });
  const { digest, inputs, base: at, sampling } = envelope;
  work.world.note("task.envelope", { task: work.task.id, digest, inputs, base: at, sampling });
  work.note({ plan, envelope }, `plan drawn up, ${envelope.digest.slice(0, 12)}`);
  return undefined;
}

/** What fettle itself runs, besides what the plan names. */
function ownCommands({ task, world }: Work, plan: Plan, proofs: readonly TestProof[]): string[] {
  const syntax = plan.files
    .filter(({ action }) => action !== "delete")
    .flatMap(({ path }) => profileFor(path)?.syntax?.(path) ?? []);
  const ci = ciCommand({ task, world });
  return [...proofs.map(({ command }) => command), ...syntax, ...(ci === "" ? [] : [ci])];
}

/** Undefined: the person wants it otherwise, so it is planned anew. */
async function sign(work: Work): Promise<Came | undefined> {
  const { id, envelope, map, feedback = [] } = work.task;
  if (!envelope) throw new Error("a plan is signed when it is drawn up");
  const { plan, digest } = envelope;
  const planned = new Set(plannedCommands(plan).map(({ text }) => text));
  const also = envelope.commands.map(({ text }) => text).filter((text) => !planned.has(text));
  const lines = [
    ...planLines(plan, blastRadius(plan, map), also),
    ...suspicions(plan),
    `Base: ${envelope.base.branch} at ${envelope.base.commit.slice(0, 9)}; envelope ${digest.slice(0, 12)}`,
  ];
  const answer = await work.approve({ kind: "task", op: "plan", task: id, digest, plan, lines });
  switch (answer.kind) {
    case "approved":
      return {
        to: needsTest(work.task) ? "PROVING_GROUND" : "IMPLEMENTING",
        patch: { planApproval: answer.signature },
        detail: `approved by ${answer.signature.by} and frozen, ${digest.slice(0, 12)}`,
      };
    case "revise":
      work.note({ feedback: [...feedback, answer.feedback] }, `to be planned anew: ${answer.feedback}`);
      return undefined;
    case "rejected":
      return { to: "FAILED", detail: `The plan was rejected: ${answer.why}` };
    case "expired":
      return { to: "FAILED_BY_TIMEOUT", detail: "Nobody answered for the plan in time." };
    case "nobody":
      return { pause: `The plan waits for an approval: fettle task approve ${id}` };
  }
}

function suspicions({ dependencies }: Plan): string[] {
  return dependencies.flatMap(({ ecosystem, name }) => {
    const { flagged, why } = checkName(ecosystemOf(ecosystem), name);
    return flagged ? [`Suspicious dependency ${name}: ${why}`] : [];
  });
}
