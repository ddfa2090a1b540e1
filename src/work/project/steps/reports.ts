// Reports by code alone: what was done lately, and what speaks for something having gone wrong.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ProjectView } from "../../../protocol/project.ts";
import { oneLine, table } from "../formats/sections.ts";
import type { ProjectWork } from "../work/work.ts";
import { historyOf, isPlanning, type PastCommit } from "./history.ts";
import { handOvers } from "./pause.ts";
import type { ProjectStep } from "./step.ts";

const dayMs = 86_400_000;

async function viewIn(work: ProjectWork): Promise<ProjectView> {
  const view = await work.view();
  if (view.present) return view;
  throw new Fault("project.none", Exit.usage, "This folder has no .planning.", "Begin: fettle project new");
}

export const sessionReport: ProjectStep = {
  name: "session-report",
  withoutModel: true,
  async run(work, { options }) {
    const view = await viewIn(work);
    const days = Number(options["days"] ?? 1);
    if (!Number.isFinite(days) || days <= 0 || days > 365)
      throw new Fault("project.days", Exit.usage, "That is no number of days.", "From 1 to 365: --days 1");
    const since = work.world.clock() - days * dayMs;
    const commits = (await historyOf(work.repository)).filter(({ at }) => Date.parse(at) >= since);
    const at = new Date(work.world.clock()).toISOString();
    const path = `reports/${at.slice(0, 16).replace(/\D/g, "")}-session-report.md`;
    const text = sessionText(view, commits, { at, since: new Date(since).toISOString() });
    await work.write(async () => ({ steps: [{ kind: "write", path, text }], activity: "session report written" }));
    await work.commitDocuments("docs: session report");
    return {
      text: `Written: .planning/${path}`,
      data: { path: `.planning/${path}`, commits: commits.map(({ id }) => id) },
    };
  },
};

function sessionText(
  view: ProjectView,
  commits: readonly PastCommit[],
  { at, since }: { at: string; since: string },
): string {
  const code = commits.filter((commit) => !isPlanning(commit));
  const files = new Set(code.flatMap((commit) => commit.files));
  const list = (lines: readonly string[]) => (lines.length === 0 ? ["None."] : lines);
  return [
    ...["# Session Report", "", `**Written:** ${at}`, `**Since:** ${since}`, "", "## Summary", ""],
    `- Commits: ${commits.length}, of which ${code.length} change more than planning files`,
    `- Files changed: ${files.size}`,
    ...[
      "",
      "## Work Performed",
      "",
      ...list(commits.map(({ id, subject }) => `- \`${id.slice(0, 9)}\` ${oneLine(subject)}`)),
    ],
    ...["", "## Where It Stands", ""],
    ...table(
      ["Phase", "State", "Plans"],
      view.phases.map(({ number, name, state, plans }) => [
        `${number}. ${name}`,
        state,
        `${plans.filter(({ summarized }) => summarized).length}/${plans.length}`,
      ]),
    ),
    ...[
      "",
      "## Open",
      "",
      ...list(view.openItems.map(({ phase, state, text }) => `- Phase ${phase}, ${state}: ${oneLine(text)}`)),
    ],
    ...["", "What it cost: `fettle cost`. What was done and allowed: `fettle audit query`.", ""],
  ].join("\n");
}

interface Sign {
  level: "high" | "medium" | "low";
  what: string;
  evidence: string[];
}

export const forensics: ProjectStep = {
  name: "forensics",
  withoutModel: true,
  async run(work, { words }) {
    const view = await viewIn(work);
    const history = (await historyOf(work.repository)).slice(0, 300);
    const dirty = (await work.repository.changed(true)).map(({ path }) => path);
    const signs = signsOf({ view, history, dirty, paused: handOvers(await work.files()), now: work.world.clock() });
    const at = new Date(work.world.clock()).toISOString();
    const path = `forensics/report-${at.slice(0, 19).replace(/\D/g, "")}.md`;
    const text = forensicsText(signs, { at, about: words.join(" ") });
    await work.write(async () => ({ steps: [{ kind: "write", path, text }], activity: "forensics report written" }));
    for (const { what } of signs) work.tell(what, false);
    return {
      text: `Signs of trouble: ${signs.length}. Written: .planning/${path}`,
      data: { path: `.planning/${path}`, signs: signs.map((sign) => ({ ...sign })) },
    };
  },
};

export interface ForensicFacts {
  view: ProjectView;
  history: readonly PastCommit[];
  dirty: readonly string[];
  paused: readonly string[];
  now: number;
}

/** Each with what shows it; none is a judgement of a model. */
export function signsOf({ view, history, dirty, paused, now }: ForensicFacts): Sign[] {
  const signs: Sign[] = [];
  const add = (level: Sign["level"], what: string, evidence: readonly string[]) => {
    if (evidence.length > 0) signs.push({ level, what, evidence: evidence.slice(0, 20) });
  };
  const errors = view.problems.filter(({ level }) => level === "error");
  add(
    "high",
    "Planning files are damaged or contradict each other.",
    errors.map(({ path, code, about }) => `${path}: ${code} ${about.join(" ")}`),
  );
  const ticks = view.problems.filter(({ code }) => code === "tickOpen" || code === "summaryAlone");
  add(
    "medium",
    "More is said to be done than files show.",
    ticks.map(({ path, code, about }) => `${path}: ${code} ${about.join(" ")}`),
  );
  add("medium", "The same files were changed by several commits in a row.", streaks(history));
  const reverts = history.filter(({ subject }) => /^Revert\b/.test(subject));
  add(
    "medium",
    "Work was taken back.",
    reverts.map(({ id, subject }) => `${id.slice(0, 9)} ${subject}`),
  );
  const begun = view.phases.filter(({ state }) => state === "executing");
  add(
    "medium",
    "Phases were begun and not finished.",
    begun.map(
      ({ number, plans }) =>
        `phase ${number}: open are ${plans
          .filter(({ summarized }) => !summarized)
          .map(({ id }) => id)
          .join(", ")}`,
    ),
  );
  const code = dirty.filter((file) => !file.startsWith(".planning/"));
  add(code.length > 10 ? "medium" : "low", "Files are not committed.", code);
  const last = history[0];
  const days = last === undefined ? 0 : Math.floor((now - Date.parse(last.at)) / dayMs);
  add("low", "Nothing was committed for a week or more.", begun.length > 0 && days >= 7 ? [`${days} days`] : []);
  add("low", "Work was paused and not resumed.", paused);
  return signs;
}

const streak = 4;

/** A file that each of four commits one after the other has changed. */
function streaks(history: readonly PastCommit[]): string[] {
  const runs = new Map<string, number>();
  const found = new Set<string>();
  for (const commit of history.filter((each) => !isPlanning(each))) {
    for (const file of [...runs.keys()]) if (!commit.files.includes(file)) runs.delete(file);
    for (const file of commit.files) {
      runs.set(file, (runs.get(file) ?? 0) + 1);
      if (runs.get(file) === streak) found.add(file);
    }
  }
  return [...found];
}

function forensicsText(signs: readonly Sign[], { at, about }: { at: string; about: string }): string {
  const parts = signs.flatMap(({ level, what, evidence }) => [
    ...[`### ${what}`, "", `**Weight:** ${level}`, ""],
    ...evidence.map((each) => `- ${oneLine(each)}`),
    "",
  ]);
  return [
    ...["# Forensics", "", `**Written:** ${at}`, ...(about === "" ? [] : [`**Asked about:** ${oneLine(about)}`]), ""],
    ...["## Signs", "", ...(parts.length === 0 ? ["None were found.", ""] : parts)],
  ].join("\n");
}
