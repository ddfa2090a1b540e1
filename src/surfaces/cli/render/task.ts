// A task as steps: what is done, what it does, what it waits for.
import { escapeLine } from "../../../base/escape.ts";
import type { Event } from "../../../protocol/event.ts";
import type { Evidence, TaskRow, TaskStateName, TaskView, Transition } from "../../../protocol/task.ts";
import { tasks as words } from "../words/tasks.ts";
import { age, duration } from "./amounts.ts";
import type { Look } from "./style.ts";
import { renderTable } from "./table.ts";
import { padEnd, wrap } from "./width.ts";

const titleWidth = Math.max(
  ...["INTENT_ANALYSIS", "IMPLEMENTING", "VERIFYING"].map((state) => words.states[state as TaskStateName].length),
);

function stepLine(mark: string, state: TaskStateName, detail: string, look: Look): string[] {
  const title = look.style.bold(padEnd(words.states[state], titleWidth));
  return wrap(detail.split("\n").map(escapeLine).join("\n"), Math.max(20, look.width - titleWidth - 4)).map(
    (line, at) => (at === 0 ? `${mark} ${title}  ${line}` : `${" ".repeat(titleWidth + 4)}${line}`),
  );
}

/** The line that a fact of a task is worth. */
export function renderTaskEvent(event: Event, look: Look): string[] {
  const { style } = look;
  const { symbols } = style;
  switch (event.type) {
    case "task.moved": {
      const failed = event.to.startsWith("FAILED");
      if (event.from === event.to) return note(event.detail, look);
      const mark = failed ? style.red(symbols.failed) : style.green(symbols.done);
      const lines = stepLine(mark, event.from, event.detail, look);
      return failed ? [...lines, style.red(`${symbols.failed} ${words.states[event.to]}`)] : lines;
    }
    case "task.told": {
      const mark =
        event.ok === undefined ? symbols.running : event.ok ? style.green(symbols.done) : style.red(symbols.failed);
      return event.text.split("\n").map((line, at) => `    ${at === 0 ? mark : " "} ${style.dim(escapeLine(line))}`);
    }
    case "task.ended":
      return event.state === "COMPLETE" ? stepLine(style.green(symbols.done), event.state, event.text, look) : [];
    case "task.paused":
      return stepLine(style.yellow(symbols.running), event.state, event.text, look);
    default:
      return [];
  }
}

const note = (text: string, { style }: Look): string[] => [
  `    ${style.dim(`${style.symbols.bullet} ${escapeLine(text)}`)}`,
];

export function renderTasks(rows: readonly TaskRow[], look: Look, now: number): string[] {
  const columns = [words.id, words.started, words.state].map((title) => ({ title }));
  const cells = rows.map((row) => [
    row.id,
    age(row.startedAt, now),
    row.running ? `${words.states[row.state]}, ${words.running}` : words.states[row.state],
    escapeLine(row.text.split("\n")[0] ?? ""),
  ]);
  return renderTable([...columns, { title: words.what, flexible: true }], cells, look);
}

export function renderTransition(each: Transition, before: number, look: Look): string[] {
  if (each.from === each.to && !each.patch.outcome) return [];
  const failed = each.to.startsWith("FAILED");
  const mark = failed ? look.style.red(look.style.symbols.failed) : look.style.green(look.style.symbols.done);
  return stepLine(
    mark,
    each.from,
    `${duration(Math.max(0, each.at - before))}${failed ? `: ${each.patch.outcome?.text ?? ""}` : ""}`,
    look,
  );
}

export function renderTask(view: TaskView, look: Look): string[] {
  const { task, transitions, waiting } = view;
  const { style } = look;
  const row = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`${style.dim(padEnd(name, 10))}  ${escapeLine(text)}`];
  const steps = transitions.flatMap((each, at) => {
    const before = transitions.slice(0, at).findLast(({ from, to }) => from !== to)?.at ?? task.startedAt;
    return renderTransition(each, before, look);
  });
  const open = task.outcome
    ? []
    : stepLine(
        style.yellow(style.symbols.running),
        task.state,
        waiting ? words.waitsFor(waiting.kind, task.id) : view.running ? words.running : words.goOn(task.id),
        look,
      );
  return [
    style.bold(escapeLine(task.request.text.split("\n")[0] ?? "")),
    ...row(words.id, task.id),
    ...row(words.plan, task.plan?.summary),
    ...row(words.envelope, task.envelope?.digest),
    ...row(words.branch, task.worktree?.branch),
    ...(task.amendments ?? []).flatMap(({ what, by }) => row(words.amendments, `${what} (${by})`)),
    "",
    ...steps,
    ...open,
    ...(task.outcome ? ["", ...row(words.outcome, `${task.outcome.text} (${verdict(task.evidence)})`)] : []),
  ];
}

/** Without complete evidence nothing is called verified. */
const verdict = (evidence: readonly Evidence[] | undefined): string =>
  evidence && evidence.length > 0 && evidence.every(({ ok }) => ok) ? words.verified : words.unverified;

export function renderEvidence(evidence: readonly Evidence[], look: Look): string[] {
  const { style } = look;
  if (evidence.length === 0) return [words.noEvidence];
  return evidence.flatMap(({ claim, tier, command, exit, output, tree, ok, detail }) => [
    `${ok ? style.green(style.symbols.done) : style.red(style.symbols.failed)} ${escapeLine(claim)} ${style.dim(`[${tier}]`)}`,
    ...(command === ""
      ? []
      : [style.dim(`    ${escapeLine(command)}  ->  exit ${exit ?? "-"}, output sha256:${output.slice(0, 16)}`)]),
    style.dim(`    tree ${tree.slice(0, 16)}`),
    ...(ok || detail === "" ? [] : detail.split("\n").map((line) => `    ${escapeLine(line)}`)),
  ]);
}
