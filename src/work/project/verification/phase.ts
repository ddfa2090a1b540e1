// Verifies a phase backwards from what it promised: exists, substantive, wired by code; flowing by commands; truths by an agent.
import { counted } from "../../../base/counted.ts";
import { sha256 } from "../../../base/digest.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { PlanningStep, ProjectPhase } from "../../../protocol/project.ts";
import { endText, succeeded } from "../../task/world/commands.ts";
import { phaseIn } from "../facts/phase-named.ts";
import type { ExecutablePlan } from "../formats/executable-plan.ts";
import { commandsOf } from "../waves/given-plan.ts";
import { humanChecks } from "../waves/checkpoints.ts";
import { phasePlans } from "../waves/phase.ts";
import { Scratch } from "../waves/scratch.ts";
import type { ProjectWork } from "../work/work.ts";
import { artifactChecks, type Tree } from "./artifacts.ts";
import { verificationOf } from "./document.ts";
import { type PhaseCheck, type PhaseEvidence, requirementRows } from "../formats/evidence.ts";
import { type Judged, judgeTruths, truthsOf } from "./truths.ts";
import { belowPlanning } from "../formats/workstream.ts";

export interface VerificationEnd {
  text: string;
  exit: number;
  over: true;
  data: { phase: string; status: PhaseEvidence["status"]; shown: number; checks: number; tree: string };
}

export async function verifyPhase(work: ProjectWork, number: string): Promise<VerificationEnd> {
  const phase = phaseIn(await work.view(), number);
  const files = await work.files();
  const settings = await work.settings();
  const { all } = await phasePlans({ ...{ phase, files, settings, manifests: "" }, args: { words: [], options: {} } });
  const commit = (await work.repository.commit("HEAD")) ?? "";
  const tree = await treeOf(work, commit);
  work.part({ kind: "phase", id: number, state: "working", text: "verification" });
  const computed: PhaseCheck[] = [];
  for (const document of all) computed.push(...(await artifactChecks(document, tree)));
  const judged = await judgeTruths(work, phase.goal ?? "", truthsOf(all));
  const run = await commandChecks(work, { commit, tree: tree.id, all, judged });
  const checks = [...computed, ...run];
  const human = [
    ...humanChecks(all),
    ...checks.filter(({ result }) => result === "unsure").map(({ plan, claim, why }) => `${plan}: ${claim} (${why})`),
  ];
  const status = checks.some(({ result }) => result === "failed")
    ? "gaps_found"
    : human.length > 0
      ? "human_needed"
      : "passed";
  const evidence: PhaseEvidence = {
    ...{ format: "fettle.evidence.1", phase: number, at: new Date(work.world.clock()).toISOString() },
    ...{ commit, tree: tree.id, status, checks },
    requirements: requirementRows(namedIn(phase), checks, tree.id),
  };
  await keep(work, phase, { evidence, human, goal: phase.goal ?? "" });
  return endOf(work, evidence, human);
}

const namedIn = ({ requirements, plans }: ProjectPhase) =>
  requirements.map((id) => ({
    id,
    plans: plans.filter((plan) => plan.requirements.includes(id)).map((plan) => plan.id),
  }));

async function treeOf({ repository }: ProjectWork, commit: string): Promise<Tree> {
  const files = new Set(await repository.files(commit));
  return { id: (await repository.tree(commit)) ?? "", files, text: (file) => repository.text(commit, file) };
}

interface Subject {
  commit: string;
  tree: string;
  all: readonly ExecutablePlan[];
  judged: readonly Judged[];
}

/** Each command once, on exactly the files of the commit. */
async function commandChecks(work: ProjectWork, { commit, tree, all, judged }: Subject): Promise<PhaseCheck[]> {
  const wanted = all.flatMap(({ plan, tasks }) =>
    tasks.flatMap((task) =>
      commandsOf(task).map((command) => ({
        plan: plan.id,
        level: "flowing" as const,
        claim: task.done || task.name,
        command,
      })),
    ),
  );
  const truths = judged.map((each) => ({ ...each, level: "truth" as const }));
  const scratch = await Scratch.open(work, { name: "verification", commit });
  const known = new Map<string, Pick<PhaseCheck, "exit" | "output" | "result" | "why">>();
  const result = async (command: string) => {
    const before = known.get(command);
    if (before) return before;
    work.part({ kind: "check", id: command, state: "working", text: "" });
    await scratch.at(commit);
    const run = await scratch.run(command);
    const ran = run.ended === "exited";
    const found = {
      ...{ exit: run.exit, output: run.digest },
      result: succeeded(run) ? ("shown" as const) : ran ? ("failed" as const) : ("unsure" as const),
      why: succeeded(run) ? "" : ran ? endText(run) : `it could not be run here: ${endText(run)}`,
    };
    work.part({
      ...{ kind: "check", id: command, state: found.result === "shown" ? "done" : "failed" },
      text: found.why === "" ? `exit ${run.exit}` : found.why,
    });
    known.set(command, found);
    return found;
  };
  try {
    const checks: PhaseCheck[] = [];
    for (const { command, ...check } of wanted)
      checks.push({ ...check, command, tree, by: "command", ...(await result(command)) });
    for (const { command, holds, text, plan, why } of truths) {
      const about = { plan, level: "truth" as const, claim: text, tree };
      const ran = command === undefined || holds === "no" ? undefined : await result(command);
      if (ran && ran.result !== "unsure") checks.push({ ...about, command: command ?? "", by: "command", ...ran });
      else
        checks.push({
          ...about,
          by: "agent",
          result: ({ yes: "shown", no: "failed", unsure: "unsure" } as const)[holds],
          why,
        });
    }
    return checks;
  } finally {
    await scratch.close();
  }
}

/** One transaction; the ledger knows the evidence by its digest before it is written. */
async function keep(
  work: ProjectWork,
  phase: ProjectPhase,
  { evidence, human, goal }: { evidence: PhaseEvidence; human: readonly string[]; goal: string },
): Promise<void> {
  const folder = belowPlanning(phase.folder ?? "");
  const number = folder.split("/").at(-1)?.split("-", 1)[0] ?? phase.number;
  const text = `${JSON.stringify(evidence, undefined, 2)}\n`;
  const { status, commit, tree } = evidence;
  work.note("project.evidence", { phase: phase.number, digest: sha256(text), status, commit, tree });
  await work.write(async (files) => {
    const place = `${folder}/${number}-VERIFICATION.md`;
    const before = files.texts.has(place)
      ? (/^status:\s*(\S+)/m.exec(files.texts.get(place) ?? "")?.[1] ?? "unknown")
      : undefined;
    const document = verificationOf({ ...{ evidence, human, goal }, ...(before !== undefined && { before }) });
    const steps: PlanningStep[] = [
      { kind: "write", path: `${folder}/${number}-EVIDENCE.json`, text },
      { kind: "write", path: place, text: document },
    ];
    return { steps, activity: `phase ${phase.number} verified: ${status}` };
  });
  await work.commitDocuments(`docs(${phase.number}): verification, ${status}`);
}

function endOf(work: ProjectWork, evidence: PhaseEvidence, human: readonly string[]): VerificationEnd {
  const { phase, status, checks, tree } = evidence;
  const shown = checks.filter(({ result }) => result === "shown").length;
  const failed = checks.filter(({ result }) => result === "failed");
  const next =
    status === "gaps_found"
      ? `\n${failed.map(({ plan, claim, why }) => `${plan}: ${claim}: ${why}`).join("\n")}\nPlan what is missing: fettle project plan ${phase} --gaps`
      : status === "human_needed"
        ? `\nOnly you can look at: ${human.join("; ")}\nThen: fettle project verify-work ${phase}`
        : "";
  work.part({ kind: "phase", id: phase, state: status === "gaps_found" ? "failed" : "done", text: status });
  return {
    text: `Phase ${phase}: ${status}, ${shown} of ${counted(checks.length, "check")} shown.${next}`,
    exit: status === "gaps_found" ? Exit.failed : Exit.done,
    over: true,
    data: { phase, status, shown, checks: checks.length, tree },
  };
}
