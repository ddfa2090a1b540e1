// add-tests: tests that are missing become one plan of the phase, which is carried out like any other.
import { z } from "zod";
import { counted } from "../../../base/counted.ts";
import { isTest } from "../../task/checks/definitions.ts";
import { commandProblem, type DeclaredCommands } from "../facts/plan-commands.ts";
import { declaredIn } from "../work/declared.ts";
import { readValidation } from "../formats/validation-document.ts";
import { readUat } from "../formats/uat-document.ts";
import { askAgent } from "../work/asking.ts";
import type { ProjectWork } from "../work/work.ts";
import { commandsOf } from "../waves/given-plan.ts";
import { changedFiles } from "./phase-changes.ts";
import { documentsOf, fileOf, groundOf, type PhaseGround } from "./phase-ground.ts";
import { type FiledPlan, gapPlan, plansOf, planWritten } from "./phase-plans.ts";
import { phaseOf, type ProjectStep, type StepEnd } from "./step.ts";
import { listOf, place, words } from "./step-words.ts";

/** What is to be tested, and the requirement that it belongs to; empty where it belongs to none. */
interface Gap {
  requirement: string;
  behaviour: string;
}

export const addTests: ProjectStep = {
  name: "add-tests",
  phase: phaseOf,
  async run(work) {
    const ground = await groundOf(work);
    const plans = await plansOf(ground);
    const uat = ground.files.texts.get(fileOf(ground, "UAT"));
    const accepted = uat === undefined ? [] : (await readUat(uat)).tests.filter(({ result }) => result === "pass");
    const truths = plans.flatMap(({ document }) => document.mustHaves.truths);
    const more = work.args.words.slice(1).join(" ");
    const behaviours = [...(more === "" ? [] : [more]), ...accepted.map(({ expected }) => expected), ...truths];
    const gaps = [
      ...(await untested(ground, plans)),
      ...[...new Set(behaviours)].map((behaviour) => ({ requirement: "", behaviour })),
    ];
    return planTests(work, ground, { plans, gaps });
  },
};

/** Requirements of the phase for which neither a plan's task nor VALIDATION.md has a command that can be run. */
async function untested(ground: PhaseGround, plans: readonly FiledPlan[]): Promise<Gap[]> {
  const text = ground.files.texts.get(fileOf(ground, "VALIDATION"));
  const rows = text === undefined ? [] : (await readValidation(text)).tasks;
  const shown = new Set([
    ...rows.filter(({ command, status }) => command !== "" && status !== "red").flatMap((row) => row.requirements),
    ...plans.flatMap(({ document }) =>
      document.tasks.some((task) => commandsOf(task).length > 0) ? document.requirements : [],
    ),
  ]);
  return ground.phase.requirements
    .filter((id) => !shown.has(id))
    .map((id) => ({
      requirement: id,
      behaviour: ground.view.requirements.find((each) => each.id === id)?.text ?? id,
    }));
}

const testsFor = (count: number, declared: DeclaredCommands) =>
  z.object({
    tests: z
      .array(
        z.object({
          gaps: z
            .array(z.coerce.number().int().min(1).max(count))
            .min(1)
            .describe("numbers of the gaps that it closes"),
          name: words,
          file: place.refine(isTest, "that is no test file by its name"),
          read_first: listOf(10).describe("what it tests, and a test of this repository that it is to be like"),
          action: words.describe("what it calls, with which values, and what it expects"),
          command: words.superRefine((command, context) => {
            const found = commandProblem(command, declared);
            if (found)
              context.addIssue({ code: "custom", message: `${command}: ${found.problem} ${found.name ?? ""}` });
          }),
        }),
      )
      .max(12),
    manual: z
      .array(z.object({ gap: z.coerce.number().int().min(1).max(count), why: words }))
      .max(count)
      .default([])
      .describe("what only a person can see"),
  });

interface Planning {
  plans: readonly FiledPlan[];
  gaps: readonly Gap[];
}

async function planTests(work: ProjectWork, ground: PhaseGround, { plans, gaps }: Planning): Promise<StepEnd> {
  const { number } = ground.phase;
  if (gaps.length === 0)
    return { text: `Phase ${number} lacks no test that could be named.`, data: { phase: number, gaps: [] } };
  const files = await changedFiles(work, ground);
  const data = await documentsOf(work, ground, ["CONTEXT", "SPEC", "VALIDATION", "UAT"]);
  const declared = await declaredIn(work);
  const answer = await askAgent(work, {
    ...{ agent: "verifier", about: `tests of phase ${number}`, answer: testsFor(gaps.length, declared) },
    text: [
      `Which tests are missing in this phase? For each gap name the smallest test that fails when the behaviour is broken, in the repository's own framework and style, and the command that runs it. A gap that a test of the repository covers already needs none. Change nothing.`,
      ...gaps.map(({ requirement, behaviour }, at) => `${at + 1}. ${requirement} ${behaviour}`),
      ...["", "Files of the phase:", ...files.slice(0, 100).map((file) => `- ${file}`), "", ground.told],
    ].join("\n"),
    ...(data !== "" && { data: { text: data, source: "documents of the phase" } }),
  });
  for (const { gap, why } of answer.manual) work.tell(`For a person: ${gaps[gap - 1]?.behaviour}: ${why}`, false);
  if (answer.tests.length === 0)
    return { text: `Phase ${number}: no test has to be written.`, data: { phase: number, gaps: [] } };
  const closed = [...new Set(answer.tests.flatMap((test) => test.gaps))].flatMap((gap) => gaps[gap - 1] ?? []);
  const plan = gapPlan(ground, plans, {
    objective: `Write the tests that the phase lacks; nothing else is changed.`,
    requirements: [...new Set(closed.flatMap(({ requirement }) => (requirement === "" ? [] : [requirement])))],
    success: closed.map(({ behaviour }) => behaviour).slice(0, 12),
    tasks: answer.tests.map(({ name, file, read_first: readFirst, action, command }) => ({
      ...{ type: "auto", name, files: [file], readFirst, action, verify: command },
      ...{ acceptance: [], done: `${file} passes, and fails when the behaviour is broken`, instructions: "" },
    })),
  });
  await work.write(async (known) => ({
    steps: planWritten(known, ground, plans, plan),
    activity: `plan ${plan.id}: tests that the phase lacks`,
  }));
  await work.commitDocuments(`docs(${number}): plan ${plan.id} for missing tests`);
  return {
    text: `Plan ${plan.id} writes ${counted(answer.tests.length, "test")}. Go on: fettle project execute ${number} --gaps-only`,
    data: { phase: number, plan: plan.id, gaps: closed.map(({ requirement, behaviour }) => requirement || behaviour) },
  };
}
