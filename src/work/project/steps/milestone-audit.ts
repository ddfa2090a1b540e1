// audit-milestone: what files and evidence show of all phases, and whether what they built is joined; gaps become phases by their own command.
import { counted } from "../../../base/counted.ts";
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { OpenItem, ProjectView } from "../../../protocol/project.ts";
import { changesOf } from "../facts/changes.ts";
import type { Finding } from "../formats/findings-document.ts";
import { headOf } from "../formats/head-write.ts";
import { itemsOf, oneLine, sectionNamed, sectionsOf, table } from "../formats/sections.ts";
import { askAgent } from "../work/asking.ts";
import type { ProjectWork } from "../work/work.ts";
import { checkedAgainst, findingsOf } from "./findings.ts";
import { projectBrief } from "./new.ts";
import { now } from "./phase-ground.ts";
import type { ProjectStep } from "./step.ts";

const states = ["joined", "broken", "unused"] as const;
const gapsTitle = "Gaps";

async function viewIn(work: ProjectWork): Promise<ProjectView> {
  const view = await work.view();
  if (view.present && view.phases.length > 0) return view;
  throw new Fault("project.none", Exit.usage, "There are no phases to audit.", "Begin: fettle project new");
}

const versionOf = (view: ProjectView, given: string | undefined): string =>
  `v${(given ?? view.milestone ?? "1.0").trim().replace(/^v/i, "")}`;
const pathOf = (version: string): string => `${version.replace(/[^\w.-]/g, "-")}-MILESTONE-AUDIT.md`;

export const auditMilestone: ProjectStep = {
  name: "audit-milestone",
  phase: () => "project",
  async run(work, { words: [given] }) {
    const view = await viewIn(work);
    const version = versionOf(view, given);
    const shown = await shownRequirements(work, view);
    const gaps = [...computedGaps(view, shown), ...openGaps(view)];
    const files = await work.files();
    const answer = await askAgent(work, {
      ...{ agent: "integration-checker", about: `milestone ${version}`, answer: findingsOf(states) },
      text: [
        "Find out whether what these phases have built works together. An item for each joint: joined, broken or unused, with the place that shows it, and what is to be done where it is not joined.",
        projectBrief(files.texts.get("PROJECT.md")),
        ...view.phases.map(
          ({ number, name, goal = "", plans }) =>
            `Phase ${number}: ${name}. ${goal} Files: ${[...new Set(plans.flatMap((plan) => plan.files))].slice(0, 30).join(", ")}`,
        ),
      ].join("\n\n"),
    });
    const joints = await checkedAgainst(work, answer.items, { claims: ["joined"], without: "broken" });
    const all = [...gaps, ...joints.filter(({ state }) => state !== "joined").map(gapOf)];
    const status = all.length === 0 ? "passed" : "gaps_found";
    const text = auditText({ view, version, joints, gaps: all, status, at: now(work), shown });
    await work.write(async () => ({
      steps: [{ kind: "write", path: pathOf(version), text }],
      activity: `milestone ${version} audited`,
    }));
    await work.commitDocuments(`docs: audit of milestone ${version}`);
    const next =
      all.length === 0 ? `fettle project milestone complete ${version}` : `fettle project plan-gaps ${version}`;
    return {
      text: `Milestone ${version}: ${counted(all.length, "gap")}. Written: .planning/${pathOf(version)}. Go on: ${next}`,
      exit: all.length === 0 ? Exit.done : Exit.failed,
      over: true,
      data: { version, status, gaps: all, document: `.planning/${pathOf(version)}` },
    };
  },
};

/** Ids that evidence which the ledger knows says are done. */
async function shownRequirements(work: ProjectWork, { phases }: ProjectView): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  for (const { number } of phases)
    for (const { requirements } of await work.world.evidence(number))
      for (const { id, done: isDone } of requirements) if (isDone) done.add(id);
  return done;
}

/** Phases without a verification, and requirements that nothing shows. */
const computedGaps = ({ phases, requirements }: ProjectView, shown: ReadonlySet<string>): string[] => [
  ...phases
    .filter(({ state }) => state !== "done")
    .map(({ number, name, state }) => `Phase ${number} (${oneLine(name)}) is ${state}, not verified`),
  ...requirements
    .filter(({ id }) => !shown.has(id))
    .map(({ id, text }) => `${id} is not shown by evidence: ${oneLine(text)}`),
];

/** What reviews and people have found, and what nobody has tested. What was skipped somebody has decided. */
const openGaps = ({ openItems, phases }: ProjectView): string[] =>
  openItems
    .filter(({ state, phase }) => state !== "skipped" && !phases.some((each) => each.number === phase && each.shipped))
    .map(({ phase, state, text, path }) => `Phase ${phase}, ${openWords[state]}: ${oneLine(text)} (${path})`);

const openWords: Readonly<Record<OpenItem["state"], string>> = {
  ...{ pending: "acceptance test not answered", issue: "acceptance test failed", skipped: "acceptance test skipped" },
  ...{ blocked: "acceptance test blocked", gap: "gap of the verification", human: "for a person to look at" },
  ...{ finding: "critical finding, not mended", threat: "open threat" },
};

const gapOf = ({ title, place, action }: Finding): string =>
  [oneLine(title), place === "" ? "" : `(${oneLine(place)})`, action === "" ? "" : oneLine(action)]
    .filter(Boolean)
    .join(" ");

interface Audit {
  view: ProjectView;
  version: string;
  joints: readonly Finding[];
  gaps: readonly string[];
  status: string;
  at: string;
  shown: ReadonlySet<string>;
}

function auditText({ view, version, joints, gaps, status, at, shown }: Audit): string {
  const done = view.phases.filter(({ state }) => state === "done").length;
  const parts = [
    headOf({
      milestone: version,
      audited: at,
      status,
      phases: `${done}/${view.phases.length}`,
      requirements: `${shown.size}/${view.requirements.length}`,
    }).trimEnd(),
    `# Milestone ${version}: Audit`,
    [
      "## Phases",
      "",
      ...table(
        ["Phase", "State"],
        view.phases.map(({ number, name, state }) => [`${number}. ${oneLine(name)}`, state]),
      ),
    ].join("\n"),
    [
      "## Requirements",
      "",
      ...table(
        ["Requirement", "Shown by evidence"],
        view.requirements.map(({ id, text }) => [`${id}: ${oneLine(text)}`, shown.has(id) ? "yes" : "no"]),
      ),
    ].join("\n"),
    [
      "## Joints",
      "",
      ...table(
        ["What", "State", "Where"],
        joints.map(({ title, state, place }) => [oneLine(title), state, oneLine(place)]),
      ),
    ].join("\n"),
    [`## ${gapsTitle}`, "", ...(gaps.length === 0 ? ["None."] : gaps.map((gap) => `- ${gap}`))].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const longestGoal = 1_000;

/** Whole gaps, as many as a goal holds, and where the others stand. */
function goalOf(gaps: readonly string[], path: string): string {
  const fits = gaps.findIndex((_gap, at) => gaps.slice(0, at + 1).join("; ").length > longestGoal);
  if (fits < 0) return gaps.join("; ");
  const more = `${counted(gaps.length - fits, "more gap")}: .planning/${path}`;
  return [...gaps.slice(0, fits), more].join("; ");
}

export const planGaps: ProjectStep = {
  name: "plan-gaps",
  phase: () => "project",
  withoutModel: true,
  async run(work, { words: [given] }) {
    const view = await viewIn(work);
    const version = versionOf(view, given);
    const audit = (await work.files()).texts.get(pathOf(version));
    if (audit === undefined)
      throw new Fault(
        "project.no-audit",
        Exit.usage,
        `There is no .planning/${pathOf(version)}.`,
        `Make it: fettle project audit-milestone ${version}`,
      );
    const gaps = itemsOf(sectionNamed(sectionsOf(audit, 2), gapsTitle)?.body ?? "").map(oneLine);
    if (gaps.length === 0) return { text: `The audit of ${version} names no gaps.`, data: { version, gaps } };
    const question = `${counted(gaps.length, "gap")} of milestone ${version}:\n${gaps.map((gap) => `- ${gap}`).join("\n")}\nAdd a phase that closes them?`;
    if (!(await work.confirm(question, work.auto ? true : undefined))) return { text: "Nothing was written.", exit: 5 };
    const name = `Close the gaps of ${version}`;
    await work.write(async (files, at) =>
      changesOf(files, { kind: "phase.add", name, goal: goalOf(gaps, pathOf(version)) }, at),
    );
    const added = (await work.view()).phases.findLast((phase) => phase.name === name);
    await work.commitDocuments(`docs: a phase for the gaps of ${version}`);
    return {
      text: `Phase ${added?.number ?? "?"} closes them. Go on: fettle project plan ${added?.number ?? ""}`,
      data: { version, gaps, phase: added?.number ?? null },
    };
  },
};
