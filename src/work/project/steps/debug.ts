// debug: hypotheses about a fault, one after the other, kept in a file so that another conversation goes on where one has ended.
import { z } from "zod";
import { counted } from "../../../base/counted.ts";
import { jsonOf } from "../../../base/json-text.ts";
import { Fault } from "../../../base/fault.ts";
import { Exit, exitOfTask } from "../../../protocol/exit.ts";
import { headOf } from "../formats/head-write.ts";
import { oneLine } from "../formats/sections.ts";
import { askAgent } from "../work/asking.ts";
import type { ProjectWork } from "../work/work.ts";
import { now } from "./phase-ground.ts";
import type { ProjectStep, StepEnd } from "./step.ts";
import { slugOf, words } from "./step-words.ts";

const Round = z.object({
  tried: z
    .array(z.object({ hypothesis: words, verdict: z.enum(["confirmed", "ruled out", "open"]), evidence: words }))
    .min(1)
    .max(6),
  cause: z
    .string()
    .max(4000)
    .default("")
    .describe("empty until a hypothesis is confirmed: the line, and how it makes the symptom"),
  fix: z.string().max(4000).default("").describe("the smallest change that takes the cause away"),
  ask: z.string().max(1000).default("").describe("what only the person can see or do, if nothing else is left to try"),
});
type Round = z.infer<typeof Round>;
type Tried = Round["tried"][number];

interface Case {
  slug: string;
  symptom: string;
  status: "open" | "found" | "fixed";
  tried: Tried[];
  cause: string;
  fix: string;
  /** Of the person, in order. */
  answers: string[];
}

const mostRounds = 4;
const folder = "debug";

export const debug: ProjectStep = {
  name: "debug",
  async run(work, { words: said, options }) {
    const [first = "", ...rest] = said;
    if (first === "list") return listed(work);
    const resumes = first === "continue" || first === "status";
    const found = resumes ? await known(work, rest.join(" ")) : begun(said.join(" "));
    if (first === "status") return { text: caseText(found, now(work)), data: { ...found } };
    await work.write(async () => ({ steps: [], activity: `debugging: ${oneLine(found.symptom)}` }));
    const done = found.cause === "" ? await sought(work, found) : found;
    if (done.cause === "") return { text: stuckText(done), exit: Exit.failed, data: { ...done } };
    return options["fix"] === true ? fixed(work, done) : { text: foundText(done), data: { ...done } };
  },
};

function begun(symptom: string): Case {
  if (symptom.trim() === "")
    throw new Fault(
      "project.debug",
      Exit.usage,
      "Nothing is said of the fault.",
      'Say it: fettle project debug "1.5 becomes 1"',
    );
  return { slug: slugOf(symptom), symptom, status: "open", tried: [], cause: "", fix: "", answers: [] };
}

const pathOf = (slug: string): string => `${folder}/${slug}.md`;

/** The facts of a case stand in its front matter, as JSON: the text below is for people. */
const Kept = z.object({
  slug: z.string(),
  symptom: z.string(),
  status: z.enum(["open", "found", "fixed"]),
  tried: Round.shape.tried.min(0),
  cause: z.string(),
  fix: z.string(),
  answers: z.array(z.string()),
});

async function cases(work: ProjectWork): Promise<Case[]> {
  const { texts } = await work.files();
  return [...texts].flatMap(([path, text]) => {
    const facts = path.startsWith(`${folder}/`) ? /^facts: (.*)$/m.exec(text)?.[1] : undefined;
    const read = Kept.safeParse(jsonOf(String(jsonOf(facts ?? ""))));
    return read.success ? [read.data] : [];
  });
}

async function known(work: ProjectWork, named: string): Promise<Case> {
  const all = await cases(work);
  const open = all.filter(({ status }) => status !== "fixed");
  const found = named === "" ? open.at(-1) : all.find(({ slug }) => slug.startsWith(slugOf(named)));
  if (found) return found;
  throw new Fault(
    "project.no-case",
    Exit.usage,
    "There is no such debugging session.",
    "List them: fettle project debug list",
  );
}

async function listed(work: ProjectWork): Promise<StepEnd> {
  const all = await cases(work);
  const lines = all.map(({ slug, status, symptom }) => `${slug}  ${status}  ${oneLine(symptom)}`);
  return { text: lines.join("\n") || "There are no debugging sessions.", data: all.map((each) => ({ ...each })) };
}

/** Each round goes on from all that was tried; its file is written before the next one. */
async function sought(work: ProjectWork, at: Case): Promise<Case> {
  let current = at;
  const knowledge = await earlier(work, at);
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await askAgent(work, {
      ...{ agent: "debug-session-manager", about: `${oneLine(current.symptom)}, round ${round}`, answer: Round },
      text: [
        "Find the cause of this fault. Change nothing: test hypotheses by reading, and by running what the repository has.",
        `Symptom: ${current.symptom}`,
        ...(current.tried.length === 0 ? [] : [`Tried so far:\n${current.tried.map(triedLine).join("\n")}`]),
        ...current.answers.map((text) => `The person says: ${text}`),
        ...knowledge,
      ].join("\n\n"),
    });
    const confirmed = answer.tried.some(({ verdict }) => verdict === "confirmed");
    // A cause that nothing confirms is a guess.
    const cause = confirmed ? answer.cause : "";
    current = {
      ...current,
      tried: [...current.tried, ...answer.tried],
      cause,
      fix: cause === "" ? "" : answer.fix,
      status: cause === "" ? "open" : "found",
    };
    await keep(work, current);
    for (const tried of answer.tried) work.tell(triedLine(tried), tried.verdict === "open" ? undefined : true);
    if (cause !== "") return current;
    if (answer.ask !== "") {
      const said = await work.ask(answer.ask, [], work.auto ? "" : undefined);
      if (said === "") return current;
      current = { ...current, answers: [...current.answers, said] };
      await keep(work, current);
    }
  }
  return current;
}

/** What earlier sessions found, where they share words with this one. */
async function earlier(work: ProjectWork, { slug }: Case): Promise<string[]> {
  const words = new Set(slug.split("-").filter((word) => word.length > 3));
  const alike = (await cases(work)).filter(
    (each) => each.slug !== slug && each.cause !== "" && each.slug.split("-").some((word) => words.has(word)),
  );
  return alike.slice(-3).map((each) => `An earlier fault (${oneLine(each.symptom)}) came from: ${oneLine(each.cause)}`);
}

async function fixed(work: ProjectWork, found: Case): Promise<StepEnd> {
  const text =
    `Mend this fault: ${found.symptom}\nIts cause: ${found.cause}\n${found.fix === "" ? "" : `Proposed: ${found.fix}`}`.trim();
  const { task, paused } = await work.task({
    name: `debug-${found.slug}`,
    request: { text, source: `.planning/${pathOf(found.slug)}`, strict: false, outcome: "merge" },
  });
  if (paused !== undefined) return { text: paused, exit: Exit.unanswered, data: { ...found } };
  const exit = exitOfTask(task);
  // The next run begins it anew.
  if (exit !== Exit.done) await work.world.forgetTask(`debug-${found.slug}`);
  const done: Case = exit === Exit.done ? { ...found, status: "fixed" } : found;
  await keep(work, done);
  return { text: task.outcome?.text ?? "", exit, data: { ...done } };
}

async function keep(work: ProjectWork, current: Case): Promise<void> {
  await work.write(async () => ({
    steps: [{ kind: "write", path: pathOf(current.slug), text: caseText(current, now(work)) }],
    activity: `debugging: ${oneLine(current.symptom)}`,
  }));
  await work.commitDocuments(`docs: debugging session ${current.slug}`);
}

const triedLine = ({ hypothesis, verdict, evidence }: Tried): string =>
  `${verdict}: ${oneLine(hypothesis)} (${oneLine(evidence)})`;

function caseText(current: Case, at: string): string {
  const { slug, status, symptom, tried, cause, fix, answers } = current;
  const list = (lines: readonly string[]) =>
    lines.length === 0 ? "None." : lines.map((line) => `- ${line}`).join("\n");
  return [
    headOf({ slug, status, updated: at, facts: JSON.stringify(current) }).trimEnd(),
    `# Debugging: ${oneLine(symptom)}`,
    `## Tried\n\n${list(tried.map(triedLine))}`,
    ...(answers.length === 0 ? [] : [`## The Person Said\n\n${list(answers.map(oneLine))}`]),
    `## Cause\n\n${cause === "" ? "Not found yet." : oneLine(cause)}`,
    ...(fix === "" ? [] : [`## Fix\n\n${oneLine(fix)}`]),
  ]
    .join("\n\n")
    .concat("\n");
}

const foundText = ({ slug, cause }: Case): string =>
  `The cause is found: ${oneLine(cause)} Mend it: fettle project debug continue ${slug} --fix`;

const stuckText = ({ slug, tried }: Case): string =>
  `No cause is found yet; ${counted(tried.length, "hypothesis", "hypotheses")} tried, see .planning/${pathOf(slug)}. Go on: fettle project debug continue ${slug}`;
