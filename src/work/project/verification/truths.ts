// What must be true, asked of an agent that only reads. A command that it names is run by fettle, and counts for more.
import { z } from "zod";
import type { AgentDefinition } from "../../../protocol/agent.ts";
import type { ExecutablePlan } from "../formats/executable-plan.ts";
import { commandProblem } from "../facts/plan-commands.ts";
import { ofRoadmap } from "../formats/evidence.ts";
import { declaredIn } from "../work/declared.ts";
import { namesPlace } from "../work/places.ts";
import type { ProjectWork } from "../work/work.ts";

export interface Truth {
  /** Its id, or `ofRoadmap`. */
  plan: string;
  text: string;
}

export interface Judged extends Truth {
  holds: "yes" | "no" | "unsure";
  why: string;
  command?: string;
}

const Verdicts = z.object({
  truths: z.array(
    z.object({
      truth: z.number().int(),
      holds: z.enum(["yes", "no", "unsure"]),
      why: z.string().max(2_000),
      command: z.string().max(1_000).nullish(),
    }),
  ),
});

const verifier: AgentDefinition = {
  name: "phase-verifier",
  description: "holds what a phase promised against the code",
  tools: ["read", "glob", "grep", "list", "git"],
  role: "read-only",
  tier: "medium",
  maxRounds: 40,
  prompt: [
    "You hold what was promised against what the code does. Trust no summary and no tick: read the code.",
    "A truth holds only if what makes it true exists, does real work, is reached by its users, and gets real data.",
    "`no`: you have seen why it does not hold. `unsure`: only a person or a running program could tell.",
    "`command`: a shell line of one command that would fail if the truth did not hold, where there is one; fettle runs it.",
  ].join("\n"),
};

/** What the plans promise, and what the roadmap says that the phase is done by, where no plan says the same. */
export function truthsOf(documents: readonly ExecutablePlan[], criteria: readonly string[]): Truth[] {
  const promised = documents.flatMap(({ plan, mustHaves }) =>
    mustHaves.truths.map((text) => ({ plan: plan.id, text })),
  );
  const said = new Set(promised.map(({ text }) => plain(text)));
  return [...promised, ...criteria.filter((text) => !said.has(plain(text))).map((text) => ({ plan: ofRoadmap, text }))];
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** What it does not answer is unsure. */
export async function judgeTruths(work: ProjectWork, goal: string, truths: readonly Truth[]): Promise<Judged[]> {
  if (truths.length === 0) return [];
  const reply = await work.agent({
    agent: verifier,
    text: [
      ...(goal === "" ? [] : [`The phase is to reach: ${goal}`]),
      "Judge each of these truths against the code as it is:",
      truths.map(({ plan, text }, at) => `${at + 1}. (${plan}) ${text}`).join("\n"),
      "Answer with JSON: truths, each with its number as `truth`, `holds`, `why` in one sentence with the place as path:line, and `command` where one shows it.",
    ].join("\n\n"),
    answer: Verdicts,
  });
  if (reply.problem !== undefined) work.tell(`The verifier gave no answer that can be used: ${reply.problem}`, false);
  const declared = await declaredIn(work);
  const judged = truths.map(async (truth, at): Promise<Judged> => {
    const found = reply.value?.truths.findLast((each) => each.truth === at + 1);
    if (!found) return { ...truth, holds: "unsure" as const, why: reply.problem ?? "the verifier said nothing of it" };
    const named = found.command?.trim();
    // What cannot fail shows nothing.
    const command = named && !commandProblem(named, declared) ? named : undefined;
    // Nothing is shown by the word of an agent alone: what it has seen stands somewhere.
    if (found.holds === "yes" && !command && !(await namesPlace(work, found.why))) {
      const lacks = named ? `by ${named}, which shows nothing` : "without a command or a place that shows it";
      return { ...truth, holds: "unsure", why: `called true ${lacks}: ${found.why}` };
    }
    return { ...truth, holds: found.holds, why: found.why, ...(command && { command }) };
  });
  return Promise.all(judged);
}
