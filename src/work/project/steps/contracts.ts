// Documents that a phase is built and judged by: UI-SPEC for its interface, AI-SPEC for a feature that asks a model.
import { counted } from "../../../base/counted.ts";
import { z } from "zod";
import { Exit } from "../../../protocol/exit.ts";
import type { AgentName } from "../agents/definitions.ts";
import { formProblems, formText, type ResearchForm, researchText } from "../formats/research-document.ts";
import { oneLine, table } from "../formats/sections.ts";
import { type Asked, askAgent, askAgents, noAnswer } from "../work/asking.ts";
import type { ProjectWork } from "../work/work.ts";
import { documentsOf, fileOf, groundOf, now, type PhaseGround } from "./phase-ground.ts";
import { untilAll } from "./findings.ts";
import { phaseOf, type ProjectStep } from "./step.ts";
import { words } from "./step-words.ts";
import { refuseOff } from "./switched.ts";

const uiForm: ResearchForm = {
  needed: ["Design System", "Spacing", "Typography", "Color", "Copywriting", "Components"],
};
const dimensions = ["words", "visuals", "colour", "type", "spacing", "registries"] as const;
const Verdicts = z.object({
  findings: z.array(
    z.object({
      dimension: z.enum(dimensions),
      verdict: z.enum(["pass", "flag", "block"]),
      why: z.string().max(2000).default(""),
      change: z.string().max(2000).default(""),
    }),
  ),
});
type Verdict = z.infer<typeof Verdicts>["findings"][number];

const rounds = 3;

export const uiPhase: ProjectStep = {
  name: "ui-phase",
  phase: phaseOf,
  async run(work) {
    await refuseOff(work, "workflow.ui_phase");
    const ground = await groundOf(work);
    const { number } = ground.phase;
    if (!(await mayReplace(work, ground, "UI-SPEC"))) return kept(number, "UI-SPEC");
    let blocks: readonly Verdict[] = [];
    let judged: readonly Verdict[] = [];
    let text = "";
    for (let round = 1; round <= rounds; round += 1) {
      text = await askAgent(work, await contractOrder(work, ground, { text, blocks }));
      judged = await judgement(work, ground, { text, round });
      blocks = judged.filter(({ verdict }) => verdict === "block");
      if (blocks.length === 0) break;
      work.tell(`Round ${round}: ${counted(blocks.length, "finding")} of the checker cannot be built as meant.`, false);
    }
    const checked = [
      "## Checked",
      "",
      ...table(
        ["Dimension", "Verdict", "Why"],
        judged.map(({ dimension, verdict, why }) => [dimension, verdict, oneLine(why)]),
      ),
    ];
    const status = blocks.length === 0 ? "approved" : "blocked";
    const document = `${researchText(`Phase ${number}: ${ground.phase.name} - UI Contract`, text, now(work)).trimEnd()}\n\n${checked.join("\n")}\n`;
    await keep(work, ground, {
      name: "UI-SPEC",
      text: `---\nphase: ${JSON.stringify(number)}\nstatus: ${status}\n---\n\n${document}`,
    });
    const data = { phase: number, status, blocked: blocks.map(({ dimension }) => dimension) };
    if (blocks.length === 0) return { text: `The interface of phase ${number} has its contract.`, data };
    const named = [...new Set(blocks.map(({ dimension }) => dimension))].join(", ");
    return {
      text: `The checker still blocks ${named}. The contract is written with what it says.`,
      exit: Exit.failed,
      over: true,
      data,
    };
  },
};

/** One verdict at least for each dimension: what the checker says nothing of is not passed. */
async function judgement(
  work: ProjectWork,
  { phase, told }: PhaseGround,
  { text, round }: { text: string; round: number },
): Promise<Verdict[]> {
  const { items, left } = await untilAll<Verdict>(
    dimensions,
    ({ dimension }) => dimension,
    async (missing) => {
      const { findings } = await askAgent(work, {
        ...{ agent: "ui-checker", about: `contract of phase ${phase.number}, round ${round}` },
        text: `Judge this contract in each of the dimensions ${dimensions.join(", ")}.\n\n${told}${missing}`,
        data: { text, source: "the contract" },
        answer: Verdicts,
      });
      return findings;
    },
  );
  const silent = dimensions.filter((each) => left.includes(each));
  return [
    ...items,
    ...silent.map(
      (dimension): Verdict => ({ dimension, verdict: "block", why: "ui-checker says nothing of it", change: "" }),
    ),
  ];
}

async function contractOrder(
  work: ProjectWork,
  ground: PhaseGround,
  { text, blocks }: { text: string; blocks: readonly Verdict[] },
): Promise<Asked> {
  const data = await documentsOf(work, ground, ["CONTEXT", "SPEC", "RESEARCH"]);
  const again =
    blocks.length === 0
      ? ""
      : `\n\nYour last contract:\n${text}\n\nIt is blocked:\n${blocks.map(({ dimension, why, change }) => `- ${dimension}: ${oneLine(why)} ${oneLine(change)}`).join("\n")}`;
  return {
    ...{ agent: "ui-researcher", about: `contract of phase ${ground.phase.number}` },
    text: `Write the contract of this phase's interface, in Markdown with these sections:\n${formText(uiForm)}\n\n${ground.told}${again}`,
    ...(data !== "" && { data: { text: data, source: "documents of the phase" } }),
    problems: (said: string) => formProblems(said, uiForm),
  };
}

const Choice = z.object({
  framework: words,
  why: words,
  alternatives: z
    .array(z.object({ name: words, when: words }))
    .max(6)
    .default([]),
});

const aiParts: readonly { agent: AgentName; form: ResearchForm; wants: string }[] = [
  {
    agent: "ai-researcher",
    form: { needed: ["Entry Point", "Structure", "Pitfalls", "Sources"] },
    wants: "how this framework is used for this phase",
  },
  {
    agent: "domain-researcher",
    form: { needed: ["Harms", "Domain Criteria", "Typical Failures", "Rules"] },
    wants: "what experts of the domain would judge this phase's feature by",
  },
];
const evaluation: ResearchForm = { needed: ["Dimensions", "Reference Data Set", "Guardrails", "Monitoring"] };

export const aiPhase: ProjectStep = {
  name: "ai-phase",
  phase: phaseOf,
  async run(work) {
    await refuseOff(work, "workflow.ai_integration_phase");
    const ground = await groundOf(work);
    const { number, name } = ground.phase;
    if (!(await mayReplace(work, ground, "AI-SPEC"))) return kept(number, "AI-SPEC");
    const data = await documentsOf(work, ground, ["CONTEXT", "SPEC", "RESEARCH"]);
    const shown = data === "" ? {} : { data: { text: data, source: "documents of the phase" } };
    const about = `phase ${number}`;
    const choice = await askAgent(work, {
      ...{ agent: "framework-selector", about, answer: Choice, ...shown },
      text: `Choose the framework for the feature of this phase that asks a model.\n\n${ground.told}`,
    });
    const chosen = `The framework is ${oneLine(choice.framework)}: ${oneLine(choice.why)}`;
    const asked = aiParts.map(
      ({ agent, form, wants }): Asked => ({
        ...{ agent, about, ...shown, problems: (said: string) => formProblems(said, form) },
        text: `Find out ${wants}. ${chosen}\nAnswer in Markdown with these sections:\n${formText(form)}\n\n${ground.told}`,
      }),
    );
    const parts = (await askAgents(work, asked)).map((answer, at) => {
      if (answer.problem === undefined) return answer.value;
      throw noAnswer(work, asked[at]?.agent ?? "", answer.problem);
    });
    const plan = await askAgent(work, {
      ...{ agent: "eval-planner", about, problems: (said: string) => formProblems(said, evaluation) },
      text: `Plan how this feature is shown to be good enough. ${chosen}\nAnswer in Markdown with these sections:\n${formText(evaluation)}\n\n${ground.told}`,
      data: { text: parts.join("\n\n"), source: "what was found out" },
    });
    const others = choice.alternatives.map((each) => `- ${oneLine(each.name)}: ${oneLine(each.when)}`);
    const first = ["## Framework", "", chosen, ...(others.length === 0 ? [] : ["", "Otherwise:", ...others])].join(
      "\n",
    );
    const title = `Phase ${number}: ${name} - AI Contract`;
    await keep(work, ground, {
      name: "AI-SPEC",
      text: researchText(title, [first, ...parts, plan].join("\n\n"), now(work)),
    });
    return {
      text: `Phase ${number} has its AI contract, with ${oneLine(choice.framework)}. After it is built: fettle project eval-review ${number}`,
      data: { phase: number, framework: choice.framework },
    };
  },
};

const kept = (phase: string, name: string) => ({
  text: `Phase ${phase} keeps its ${name}.md.`,
  data: { phase, kept: true },
});

const mayReplace = async (work: ProjectWork, ground: PhaseGround, name: string): Promise<boolean> =>
  !ground.files.texts.has(fileOf(ground, name)) ||
  work.confirm(`Phase ${ground.phase.number} has a ${name}.md. Replace it?`, false);

async function keep(
  work: ProjectWork,
  ground: PhaseGround,
  { name, text }: { name: string; text: string },
): Promise<void> {
  const { number } = ground.phase;
  await work.write(async () => ({
    steps: [{ kind: "write", path: fileOf(ground, name), text }],
    activity: `phase ${number}: ${name} written`,
  }));
  await work.commitDocuments(`docs(${number}): ${name}`);
}
