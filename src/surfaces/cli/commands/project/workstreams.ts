// `fettle project workstreams`: roadmaps beside each other, each with a state, requirements and phases of its own.
import type { Command } from "commander";
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { PlanningChange, ProjectNext, WorkstreamRow } from "../../../../protocol/project.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import type { Start } from "../../host/grammar.ts";
import { renderTable } from "../../text/table.ts";
import { change, changeWords } from "./change.ts";

export const words = phrases("project-workstreams", {
  help: {
    workstreams: "the main project and its workstreams, what each has done and what comes next",
    status: "where one workstream stands, or the one that is worked on",
    create: "begin a workstream with a roadmap, a state and requirements of its own, and work on it",
    switch: "work on another workstream, or on the main project again",
    complete: "put a workstream away into .planning/milestones; none of its phases may be open",
  },
  main: "the main project",
  examples: {
    workstreams: [["fettle project workstreams --json", "each as JSON"]],
    status: [["fettle project workstreams status auth", "only that one"]],
    create: [["fettle project workstreams create auth", "files in .planning/workstreams/auth"]],
    switch: [
      ["fettle project workstreams switch auth", "every command of the project is about auth from then on"],
      ["fettle project workstreams switch --main", "and about the main project again"],
    ],
    complete: [["fettle project workstreams complete auth --dry-run", "where its files would go"]],
  },
  exits: [
    ["0", "shown, or written"],
    ["2", "wrong usage, no such workstream, or phases of it are open"],
  ],
  mainRow: "(main)",
  active: "worked on",
  name: "workstream",
  phases: "phases done",
  plans: "plans done",
  next: "what comes next",
  one: "Name a workstream, or say --main.",
  oneRemedy: "List them: fettle project workstreams",
  none: (name: string) => `There is no workstream ${name}.`,
});

type Sentence = (next: ProjectNext) => string;

export function defineWorkstreams(project: Command, start: Start, nextLine: Sentence): void {
  const lessonOf = (name: keyof typeof words.help) => ({
    lesson: { examples: words.examples[name], exits: words.exits },
  });
  const streams = project.command("workstreams").description(words.help.workstreams);
  start(streams, (context) => show(context, nextLine), lessonOf("workstreams"));
  start(
    streams.command("status [name]").description(words.help.status),
    (context, [name]) => show(context, nextLine, (row) => (name === undefined ? row.active : row.name === name), name),
    lessonOf("status"),
  );
  const add = (name: "create" | "switch" | "complete", takes: string) =>
    streams.command(`${name} ${takes}`).description(words.help[name]).option("--dry-run", changeWords.dryRun);
  const changing = (wanted: PlanningChange, context: Context, { dryRun = false }: { dryRun?: boolean }) =>
    change(context, wanted, dryRun);
  start<{ dryRun?: boolean }>(
    add("create", "<name>"),
    (context, [name = ""], given) => changing({ kind: "workstream.create", name }, context, given),
    lessonOf("create"),
  );
  start<{ dryRun?: boolean; main?: boolean }>(
    add("switch", "[name]").option("--main", words.main),
    (context, [name], { main = false, ...given }) => {
      if ((name !== undefined) === main) throw usageFault(words.one, words.oneRemedy);
      return changing({ kind: "workstream.switch", ...(name !== undefined && { name }) }, context, given);
    },
    lessonOf("switch"),
  );
  start<{ dryRun?: boolean }>(
    add("complete", "<name>"),
    (context, [name = ""], given) => changing({ kind: "workstream.complete", name }, context, given),
    lessonOf("complete"),
  );
}

function show(
  context: Context,
  nextLine: Sentence,
  wanted: (row: WorkstreamRow) => boolean = () => true,
  name?: string,
): Promise<number> {
  return context.with({ headless: true }, async (client) => {
    const rows = (await client.read("project.workstreams", {})).filter(wanted);
    if (rows.length === 0 && name !== undefined) throw usageFault(words.none(escapeLine(name)), words.oneRemedy);
    context.show(rows, (look) => {
      const columns = [
        ...[{ title: words.name }, { title: words.active }, { title: words.phases }, { title: words.plans }],
        { title: words.next, flexible: true },
      ];
      const cells = rows.map(({ name: own, active, phases, plans, next }) => [
        ...[own === undefined ? words.mainRow : escapeLine(own), active ? look.style.symbols.done : ""],
        ...[`${phases.verified}/${phases.all}`, `${plans.summarized}/${plans.all}`, nextLine(next)],
      ]);
      return renderTable(columns, cells, look);
    });
    return Exit.done;
  });
}
