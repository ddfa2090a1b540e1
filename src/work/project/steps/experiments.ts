// spike and sketch: throw-away code that answers a question by being run, and drawings of an interface to choose from. What is
// learnt stands in .planning; the code itself is run in a worktree that is removed.
import { z } from "zod";
import { counted } from "../../../base/counted.ts";
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import { endText, succeeded } from "../../task/world/commands.ts";
import type { AgentName } from "../agents/definitions.ts";
import { headOf } from "../formats/head-write.ts";
import { formProblems, formText, type ResearchForm, researchText } from "../formats/research-document.ts";
import { oneLine, table } from "../formats/sections.ts";
import { closedPage } from "../formats/sketch-page.ts";
import { Scratch } from "../waves/scratch.ts";
import { askAgent } from "../work/asking.ts";
import { oneOf, type ProjectWork } from "../work/work.ts";
import { projectBrief } from "./new.ts";
import { now } from "./phase-ground.ts";
import type { ProjectStep } from "./step.ts";
import { shown, slugOf, words } from "./step-words.ts";

const Split = z.object({
  experiments: z
    .array(z.object({ question: words, shownBy: words.describe("what would be seen if it holds") }))
    .min(1)
    .max(4)
    .describe("the riskiest first"),
});
type Experiment = z.infer<typeof Split>["experiments"][number];

const file = words.refine(
  (path) => /^[\w@.][\w@./-]*$/.test(path) && !path.split("/").includes(".."),
  "it is no path below the repository",
);
const Round = z.object({
  verdict: z.enum(["open", "validated", "partial", "invalidated"]),
  why: words.describe("what was seen that says so; before anything was run, what you are going to try"),
  follows: z.string().max(2000).default("").describe("what follows for whoever builds it"),
  next: z
    .object({
      files: z
        .array(z.object({ path: file, text: z.string().max(40_000) }))
        .max(10)
        .default([]),
      command: words.describe("one line that runs it in the repository"),
    })
    .optional()
    .describe("what to run next; absent when the question is answered"),
});
type Round = z.infer<typeof Round>;

interface Tried {
  files: NonNullable<Round["next"]>["files"];
  command: string;
  end: string;
  ok: boolean;
  output: string;
}

interface Answer {
  experiment: Experiment;
  verdict: Round["verdict"];
  why: string;
  follows: string;
  tried: Tried[];
}

const most = { tries: 3, output: 4_000 };

export const spike: ProjectStep = {
  name: "spike",
  phase: ({ words: said }) => `spike ${slugOf(said.join(" "))}`,
  async run(work, { words: said, options }) {
    const idea = ideaOf(said, "spike", "can SQLite hold 10 million rows of this?");
    const commit = await work.repository.commit("HEAD");
    if (commit === undefined)
      throw new Fault("project.no-commit", Exit.failed, "Nothing is committed to try it on.", "Commit first.");
    const brief = projectBrief((await work.files()).texts.get("PROJECT.md"));
    const experiments =
      options["quick"] === true ? [{ question: idea, shownBy: "" }] : await split(work, { idea, brief });
    const list = experiments.map(({ question }, at) => `${at + 1}. ${oneLine(question)}`).join("\n");
    if (
      experiments.length > 1 &&
      !(await work.confirm(`Try these, one after the other?\n${list}`, work.auto || undefined))
    )
      return { text: "Nothing was tried.", exit: Exit.stopped };
    const answers: { place: string; answer: Answer }[] = [];
    const scratch = await Scratch.open(work, { name: `spike-${slugOf(idea)}`, commit });
    try {
      for (const experiment of experiments) {
        await scratch.at(commit);
        const answer = await tried(work, scratch, { experiment, brief });
        work.tell(
          `${oneLine(experiment.question)}: ${answer.verdict}. ${oneLine(answer.why)}`,
          answer.verdict === "validated",
        );
        const place = await numbered(work, "spikes", experiment.question);
        await keep(work, "spikes", {
          [`${place}/README.md`]: spikeText(place, answer, now(work)),
          ...sourcesOf(place, answer),
        });
        answers.push({ place, answer });
      }
    } finally {
      await scratch.close();
    }
    return {
      text: `${counted(answers.length, "experiment")}: ${answers.map(({ place, answer }) => `${answer.verdict}, .planning/${place}/README.md`).join("; ")}. Gather what they say: fettle project spike-wrap-up`,
      data: answers.map(({ place, answer }) => ({
        folder: `.planning/${place}`,
        verdict: answer.verdict,
        why: answer.why,
      })),
    };
  },
};

function ideaOf(said: readonly string[], step: string, example: string): string {
  const idea = said.join(" ").trim();
  if (idea !== "") return idea;
  throw new Fault(
    `project.${step}`,
    Exit.usage,
    "Nothing is said to try.",
    `Say it: fettle project ${step} "${example}"`,
  );
}

async function split(work: ProjectWork, { idea, brief }: { idea: string; brief: string }): Promise<Experiment[]> {
  const { experiments } = await askAgent(work, {
    ...{ agent: "phase-researcher", about: `experiments for ${oneLine(idea)}`, answer: Split },
    text: `A person wants to know whether something can be done before it is planned. Say which few experiments answer it, each by something that can be run here.\n\n${brief}\n\nThe question: ${idea}`,
  });
  return experiments;
}

/** What was run is the evidence: nothing is validated of which no run has succeeded. */
async function tried(
  work: ProjectWork,
  scratch: Scratch,
  { experiment, brief }: { experiment: Experiment; brief: string },
): Promise<Answer> {
  const runs: Tried[] = [];
  for (;;) {
    const last = runs.length >= most.tries;
    const round = await askAgent(work, {
      ...{ agent: "phase-researcher", about: `${oneLine(experiment.question)}, round ${runs.length + 1}` },
      text: [
        "Answer this question by throw-away code that is run in a copy of the repository, in the sandbox, without a network. Give whole files and one command; what they print is shown to you.",
        brief,
        `The question: ${experiment.question}`,
        ...(experiment.shownBy === "" ? [] : [`It would show by: ${experiment.shownBy}`]),
        ...(last ? ["Run nothing more; say the verdict."] : []),
      ].join("\n\n"),
      ...(runs.length > 0 && { data: { text: runs.map(runText).join("\n\n"), source: "runs" } }),
      answer:
        runs.length === 0
          ? Round.refine(({ next }) => next !== undefined, "next is needed: nothing was run yet")
          : Round,
    });
    if (round.next === undefined || last) return answerOf(experiment, round, runs);
    const run = await ran(scratch, round.next);
    runs.push(run);
    work.tell(`Run: ${oneLine(run.command)} (${run.end})`, run.ok);
  }
}

async function ran(scratch: Scratch, { files, command }: NonNullable<Round["next"]>): Promise<Tried> {
  for (const { path, text } of files) {
    const refused = await scratch.write(path, text);
    if (refused !== undefined) return { files: [], command, end: "not run", ok: false, output: `${path}: ${refused}` };
  }
  const run = await scratch.run(command);
  return { files, command, end: endText(run), ok: succeeded(run), output: run.output.slice(-most.output) };
}

function answerOf(experiment: Experiment, { verdict, why, follows }: Round, runs: Tried[]): Answer {
  const unshown = verdict === "validated" && !runs.some(({ ok }) => ok);
  return { experiment, verdict: unshown ? "partial" : verdict, why, follows, tried: runs };
}

const runText = ({ command, end, output }: Tried): string => `$ ${command}\n${output.trimEnd()}\n[${end}]`;

function spikeText(place: string, { experiment, verdict, why, follows, tried: runs }: Answer, at: string): string {
  const parts = [
    headOf({ spike: place.replace(/^spikes\//, ""), verdict: verdict.toUpperCase(), updated: at }).trimEnd(),
    `# Spike: ${oneLine(experiment.question)}`,
    ...(experiment.shownBy === "" ? [] : [`## What Would Show It\n\n${oneLine(experiment.shownBy)}`]),
    `## Verdict\n\n${verdict.toUpperCase()}: ${oneLine(why)}`,
    ...(follows.trim() === "" ? [] : [`## What Follows\n\n${oneLine(follows)}`]),
    ["## Runs", ...runs.map((run) => indented(runText(run)))].join("\n\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Text of programs makes no heading. */
const indented = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => `    ${line}`)
    .join("\n");

/** As they were when they were run last; as texts, so that no test runner or linter of the repository takes them for its own. */
const sourcesOf = (place: string, { tried: runs }: Answer): Record<string, string> =>
  Object.fromEntries(runs.flatMap(({ files }) => files.map(({ path, text }) => [`${place}/code/${path}.txt`, text])));

const Drawings = z.object({
  variants: z
    .array(
      z.object({
        name: words,
        what: words.describe("what is different in it, and for whom it is better"),
        html: z
          .string()
          .max(120_000)
          .refine((text) => /<body[\s>]/i.test(text), "it is no whole page: <body> is missing"),
      }),
    )
    .min(2)
    .max(4),
});

export const sketch: ProjectStep = {
  name: "sketch",
  phase: ({ words: said }) => `sketch ${slugOf(said.join(" "))}`,
  async run(work, { words: said, options }) {
    const idea = ideaOf(said, "sketch", "the list of orders on a phone");
    const { texts } = await work.files();
    const data = shown(await work.files(), ["sketches/FINDINGS.md"]);
    const { variants } = await askAgent(work, {
      ...{ agent: "ui-researcher", about: `sketch of ${oneLine(idea)}`, answer: Drawings },
      text: `Draw this as ${options["quick"] === true ? "two" : "three"} variants that differ in more than colour, each a whole HTML page with its own style and made-up data. Nothing is loaded from anywhere.\n\n${projectBrief(texts.get("PROJECT.md"))}\n\nDraw: ${idea}`,
      ...(data !== "" && { data: { text: data, source: "earlier sketches" } }),
    });
    const place = await numbered(work, "sketches", idea);
    const letters = variants.map((_, at) => "ABCD"[at] ?? "");
    const pages = Object.fromEntries(
      variants.map(({ html }, at) => [`${place}/${letters[at]}.html`, closedPage(html)]),
    );
    await keep(work, "sketches", {
      [`${place}/README.md`]: sketchText(place, { idea, variants, at: now(work) }),
      ...pages,
    });
    const list = variants.map(({ name, what }, at) => `${letters[at]}: ${oneLine(name)}. ${oneLine(what)}`).join("\n");
    const question = `Look at them: .planning/${place}\n${list}\nWhich one?`;
    const ways = [...letters, "none"];
    const chosen = await work.ask(question, ways, work.auto ? "none" : undefined, oneOf(ways));
    await keep(work, "sketches", {
      [`${place}/README.md`]: sketchText(place, { idea, variants, at: now(work), chosen }),
    });
    return {
      text: `${counted(variants.length, "variant")} in .planning/${place}${chosen === "none" ? ", none chosen" : `, ${chosen} is chosen`}. Gather what they say: fettle project sketch-wrap-up`,
      data: { folder: `.planning/${place}`, chosen, variants: variants.map(({ name }) => name) },
    };
  },
};

interface Sketch {
  idea: string;
  variants: z.infer<typeof Drawings>["variants"];
  at: string;
  chosen?: string;
}

function sketchText(place: string, { idea, variants, at, chosen = "none" }: Sketch): string {
  const rows = variants.map(({ name, what }, index) => [
    `[${"ABCD"[index]}](${"ABCD"[index]}.html)`,
    oneLine(name),
    oneLine(what),
  ]);
  return `${[
    headOf({ sketch: place.replace(/^sketches\//, ""), chosen, updated: at }).trimEnd(),
    `# Sketch: ${oneLine(idea)}`,
    ["## Variants", "", ...table(["Page", "Name", "What is different"], rows)].join("\n"),
    `## Chosen\n\n${chosen}`,
  ].join("\n\n")}\n`;
}

type Kind = "spikes" | "sketches";

/** `spikes/003-many-rows`, behind the highest number that there is; the same one for a run that goes on. */
async function numbered(work: ProjectWork, kind: Kind, title: string): Promise<string> {
  const { kept } = work.world;
  const key = `place:${title}`;
  const known = kept.get(key);
  if (typeof known === "string") return known;
  const { texts } = await work.files();
  const numbers = [...texts.keys()].map((path) => Number(new RegExp(`^${kind}/(\\d{3})-`).exec(path)?.[1] ?? 0));
  const place = `${kind}/${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}-${slugOf(title)}`;
  await kept.set(key, place);
  return place;
}

async function keep(work: ProjectWork, kind: Kind, written: Readonly<Record<string, string>>): Promise<void> {
  const [first = ""] = Object.keys(written);
  const about = first.split("/")[1] ?? kind;
  await work.write(async () => ({
    steps: Object.entries(written).map(([path, text]) => ({ kind: "write" as const, path, text })),
    activity: `${kind}: ${about}`,
  }));
  await work.commitDocuments(`docs(${kind}): ${about}`);
}

interface Gathering {
  name: string;
  kind: Kind;
  agent: AgentName;
  form: ResearchForm;
  title: string;
}

const gatherings: readonly Gathering[] = [
  {
    ...{ name: "spike-wrap-up", kind: "spikes", agent: "doc-synthesizer", title: "What Experiments Have Shown" },
    form: { needed: ["What Holds", "What Does Not", "How It Is Built"] },
  },
  {
    ...{ name: "sketch-wrap-up", kind: "sketches", agent: "doc-synthesizer", title: "What Sketches Have Settled" },
    form: { needed: ["What Was Chosen", "What Was Left", "Layout and Words"] },
  },
];

/** One document that later plans are given. */
const gathered = ({ name, kind, agent, form, title }: Gathering): ProjectStep => ({
  name,
  phase: () => "project",
  async run(work) {
    const files = await work.files();
    const readmes = [...files.texts.keys()].filter(
      (path) => path.startsWith(`${kind}/`) && path.endsWith("/README.md"),
    );
    if (readmes.length === 0)
      throw new Fault(
        "project.none-yet",
        Exit.usage,
        `There are no ${kind} yet.`,
        `Make one: fettle project ${kind === "spikes" ? "spike" : "sketch"}`,
      );
    const text = await askAgent(work, {
      ...{ agent, about: kind, problems: (said: string) => formProblems(said, form) },
      text: `Gather what these documents say for whoever plans and builds next, without what has no consequence. Answer in Markdown with these sections:\n${formText(form)}`,
      data: { text: shown(files, readmes), source: kind },
    });
    await keep(work, kind, { [`${kind}/FINDINGS.md`]: researchText(title, text, now(work)) });
    return {
      text: `${counted(readmes.length, "document")} gathered in .planning/${kind}/FINDINGS.md; later research and plans are given it.`,
      data: { document: `.planning/${kind}/FINDINGS.md`, from: readmes.map((path) => `.planning/${path}`) },
    };
  },
});

export const experimentSteps: readonly ProjectStep[] = [spike, sketch, ...gatherings.map(gathered)];
