// `fettle project notes`, `seeds`, `threads` and `audit-uat`: what stands beside the phases, and what is open in them.
import type { Command } from "commander";
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { CapturedItem, OpenItem, PlanningChange, ProjectView } from "../../../../protocol/project.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Context } from "../../host/context.ts";
import type { Start } from "../../host/grammar.ts";
import { renderTable } from "../../text/table.ts";
import { change, changeWords } from "./change.ts";

export const words = phrases("project-captured", {
  help: {
    notes: "notes that were written, and whether they became todos",
    "notes promote": "make a todo of a note; the note stays, and says so",
    seeds: "ideas for later, and what they wait for",
    "seeds plant": "write down an idea for later, and when it should come up",
    threads: "threads: what goes on across sessions, open and closed",
    "threads create": "begin a thread",
    "threads close": "close a thread; its file stays",
    "threads resume": "take a thread up again; what it says is shown",
    backlog: "ideas that are parked as phases 999.x of the roadmap",
    "backlog add": "park an idea in the backlog",
    "backlog promote": "make a parked idea the last phase of the milestone",
    "backlog remove": "take a parked idea out; its folder is put away",
    cleanup: "put the folders of shipped phases away, beside the archive of their milestone",
    "milestone summary": "write what a milestone came to, for somebody who joins",
    "audit-uat": "what is open of acceptance tests, verifications and reviews, of all phases",
  },
  when: "when it should come up",
  nothing: "There are none.",
  states: {
    pending: "not tested",
    issue: "failed",
    skipped: "skipped",
    blocked: "blocked",
    gap: "gap",
    human: "needs a person",
    finding: "critical finding",
    threat: "open threat",
  },
  phase: "phase",
  title: "title",
  state: "state",
  file: "file",
  lesson: {
    examples: [
      ["fettle project notes", "each note of .planning/notes"],
      ["fettle project notes promote api-limit", "by its title, or a part of the file's name"],
      ["fettle project seeds", "each seed, with its state"],
      ["fettle project seeds plant Offline mode --when 'somebody asks for it'", "a file in .planning/seeds"],
      ["fettle project threads --json", "each thread as JSON"],
      ["fettle project threads create Slow start-up", "a file in .planning/threads"],
      ["fettle project threads close slow-start-up", "its status becomes resolved"],
      ["fettle project threads resume slow-start-up", "its status becomes in_progress"],
      ["fettle project backlog", "each parked idea with its number"],
      ["fettle project backlog add Offline mode", "phase 999.1, which is none of the milestone"],
      ["fettle project backlog promote 999.1", "it becomes the last phase"],
      ["fettle project backlog remove 999.1 --dry-run", "what would be written and moved"],
      ["fettle project cleanup --dry-run", "which folders would go to .planning/milestones"],
      ["fettle project milestone summary v1.0", "a file in .planning/reports"],
      ["fettle project audit-uat", "tests without a pass, gaps, critical findings, what a person must see"],
    ],
    exits: [
      ["0", "shown, or written"],
      ["1", "there is no .planning"],
      ["2", "wrong usage, or nothing has that name"],
    ],
  },
});

type WithProject = (context: Context, show: (view: ProjectView) => number) => Promise<number>;

export function defineCaptured(project: Command, start: Start, withProject: WithProject): void {
  const lessonOf = (name: string) => ({
    lesson: {
      examples: words.lesson.examples.filter(([line]) => `${line} `.startsWith(`fettle project ${name} `)),
      exits: words.lesson.exits,
    },
  });
  const list = (name: "notes" | "seeds" | "threads", kind: CapturedItem["kind"]): Command => {
    const command = project.command(name).description(words.help[name]);
    start(command, (context) => withProject(context, ({ captured }) => show(context, captured, kind)), lessonOf(name));
    return command;
  };
  const below = (parent: Command, name: keyof typeof words.help, takes: string): Command =>
    parent
      .command(`${name.split(" ")[1]} ${takes}`)
      .description(words.help[name])
      .option("--dry-run", changeWords.dryRun);
  const audit = project.command("audit-uat").description(words.help["audit-uat"]);
  const open = (context: Context) => withProject(context, ({ openItems }) => showOpen(context, openItems));
  start(audit, open, lessonOf("audit-uat"));
  const [notes, seeds, threads] = [list("notes", "note"), list("seeds", "seed"), list("threads", "thread")];
  start<{ dryRun?: boolean }>(
    below(notes, "notes promote", "<name...>"),
    (context, said, { dryRun = false }) => change(context, { kind: "note.promote", name: said.join(" ") }, dryRun),
    lessonOf("notes promote"),
  );
  start<{ dryRun?: boolean; when?: string }>(
    below(seeds, "seeds plant", "<idea...>").option("--when <condition>", words.when),
    (context, said, { dryRun = false, when }) =>
      change(context, { kind: "seed.plant", text: said.join(" "), ...(when !== undefined && { when }) }, dryRun),
    lessonOf("seeds plant"),
  );
  start<{ dryRun?: boolean }>(
    below(threads, "threads create", "<title...>"),
    (context, said, { dryRun = false }) => change(context, { kind: "thread.create", title: said.join(" ") }, dryRun),
    lessonOf("threads create"),
  );
  start<{ dryRun?: boolean }>(
    below(threads, "threads resume", "<name...>"),
    (context, said, { dryRun = false }) => resumeThread(context, said.join(" "), dryRun),
    lessonOf("threads resume"),
  );
  start<{ dryRun?: boolean }>(
    below(threads, "threads close", "<name...>"),
    (context, said, { dryRun = false }) => change(context, { kind: "thread.close", name: said.join(" ") }, dryRun),
    lessonOf("threads close"),
  );
}

/** What it says is shown, for whoever goes on. */
async function resumeThread(context: Context, name: string, dryRun: boolean): Promise<number> {
  const wanted = { kind: "thread.resume", name } as const;
  if (!context.options.json)
    await context.with({ headless: true }, async (client) => {
      const { steps } = await client.read("project.preview", { change: wanted });
      const text = steps.flatMap((step) =>
        step.kind === "write" && step.path.startsWith("threads/") ? step.text : [],
      )[0];
      if (text !== undefined) context.show({}, () => text.split("\n").map((line) => escapeLine(line)));
      return Exit.done;
    });
  return change(context, wanted, dryRun);
}

/** What stands below a command that only shows, or beside it. */
export function defineMoreChanges(project: Command, start: Start, milestone: Command, withProject: WithProject): void {
  const lessonOf = (name: string) => ({
    lesson: {
      examples: words.lesson.examples.filter(([line]) => `${line} `.startsWith(`fettle project ${name} `)),
      exits: words.lesson.exits,
    },
  });
  const backlog = project.command("backlog").description(words.help.backlog);
  start(backlog, (context) => withProject(context, (view) => showBacklog(context, view)), lessonOf("backlog"));
  const rows: readonly [Command, keyof typeof words.help, string, (said: string) => PlanningChange][] = [
    [backlog, "backlog add", " <text...>", (text) => ({ kind: "backlog.add", text })],
    [backlog, "backlog promote", " <number>", (item) => ({ kind: "backlog.promote", item })],
    [backlog, "backlog remove", " <number>", (item) => ({ kind: "backlog.remove", item })],
    [project, "cleanup", "", () => ({ kind: "cleanup" })],
    [milestone, "milestone summary", " [version]", (version) => ({ kind: "milestone.summary", version })],
  ];
  for (const [parent, name, takes, make] of rows)
    start<{ dryRun?: boolean }>(
      parent
        .command(`${name.split(" ").at(-1)}${takes}`)
        .description(words.help[name])
        .option("--dry-run", changeWords.dryRun),
      (context, said, { dryRun = false }) => change(context, make(said.join(" ")), dryRun),
      lessonOf(name),
    );
}

function showBacklog(context: Context, { phases }: ProjectView): number {
  const items = phases.filter(({ number }) => /^999(?:\.|$)/.test(number));
  context.show(items, (look) => {
    if (items.length === 0) return [words.nothing];
    const columns = [{ title: words.phase }, { title: words.title, flexible: true }];
    return renderTable(
      columns,
      items.map(({ number, name }) => [number, name].map((cell) => escapeLine(cell))),
      look,
    );
  });
  return Exit.done;
}

function showOpen(context: Context, items: readonly OpenItem[]): number {
  context.show(items, (look) => {
    if (items.length === 0) return [words.nothing];
    const columns = [
      ...[{ title: words.phase }, { title: words.state }, { title: words.title, flexible: true }],
      { title: words.file },
    ];
    const rows = items.map(({ phase, state, text, path }) =>
      [phase, words.states[state], text, path].map((cell) => escapeLine(cell)),
    );
    return renderTable(columns, rows, look);
  });
  return Exit.done;
}

function show(context: Context, captured: readonly CapturedItem[], kind: CapturedItem["kind"]): number {
  const items = captured.filter((item) => item.kind === kind);
  context.show(items, (look) => {
    if (items.length === 0) return [words.nothing];
    const columns = [{ title: words.state }, { title: words.title, flexible: true }, { title: words.file }];
    return renderTable(
      columns,
      items.map(({ status, title, path }) => [status, title, path].map((cell) => escapeLine(cell))),
      look,
    );
  });
  return Exit.done;
}
