// The steps of a task as lines: what is done, what it does and waits for, what is to come.
import { escapeLine } from "../../../base/escape.ts";
import { clockTime, duration, money } from "../text/amounts.ts";
import type { Look, Style } from "../text/style.ts";
import { cutEnd, padEnd, padStart, wrap } from "../text/width.ts";
import { tasks as words } from "../words/tasks.ts";
import { order, type Step, type TaskProgress, type Wait } from "./progress.ts";
import { told } from "../../phrases/phrases.ts";

const titleWidth = (): number => Math.max(...order.map((state) => words.states[state].length));
const timeWidth = 9;
/** Narrower than that, details stand below the titles. */
const roomy = 60;

function markOf({ mark }: Step, style: Style, now: number): string {
  const { symbols } = style;
  switch (mark) {
    case "done":
      return style.green(symbols.done);
    case "failed":
      return style.red(symbols.failed);
    case "now":
      return style.cyan(symbols.spinner[Math.floor(now / 100) % symbols.spinner.length] ?? symbols.running);
    case "skipped":
      return style.dim(symbols.minus);
    case "ahead":
      return " ";
  }
}

export function stepLines(step: Step, look: Look, now: number): string[] {
  const { style } = look;
  if (step.mark === "ahead" || step.mark === "skipped") {
    const note = step.mark === "skipped" ? words.notNeeded : "";
    const name = padEnd(words.states[step.state], titleWidth());
    return [`${markOf(step, style, now)} ${style.dim(`${name}  ${note}`)}`.trimEnd()];
  }
  const again = step.visits > 1 ? `${words.again(step.visits)} ` : "";
  return drawn(step, `${again}${escapeLine(told(step.detail))}`.trim(), { mark: markOf(step, style, now), look });
}

const indentWidth = (): number => 2 + titleWidth() + timeWidth + 2;
const detailRoom = ({ width }: Look): number => Math.max(20, width - (width < roomy ? 4 : indentWidth()));

/** Mark, title, time, and what it came to or is at. */
function drawn(step: Step, detail: string, { mark, look }: { mark: string; look: Look }): string[] {
  const { style } = look;
  const title = style.bold(padEnd(words.states[step.state], titleWidth()));
  const head = `${mark} ${title} ${style.dim(padStart(duration(step.ms), timeWidth - 1))}`;
  if (detail === "") return [head];
  const lines = wrap(detail, detailRoom(look));
  if (look.width < roomy) return [head, ...lines.map((line) => `    ${line}`)];
  return lines.map((line, at) => (at === 0 ? `${head}  ${line}` : `${" ".repeat(indentWidth())}${line}`));
}

/** What the current step is at: in one line, with how long that takes already. */
export function waitText(wait: Wait, now: number): string {
  const { again } = wait;
  if (again && now >= again.at) return waitText({ for: "model", what: again.model, since: again.at }, now);
  const taken = wait.for === "approval" || wait.for === "answer" ? 0 : Math.floor((now - wait.since) / 1000);
  const until = wait.until === undefined ? "" : `, ${words.until(clockTime(wait.until, now))}`;
  return `${words.waits[wait.for](escapeLine(wait.what))}${taken > 0 ? ` ${duration(taken * 1000).replace(/[.,]0/, "")}` : ""}${until}`;
}

function currentText(progress: TaskProgress, now: number): string {
  if (progress.end?.kind === "paused") return escapeLine(told(progress.end.text));
  const { wait } = progress;
  return wait ? waitText(wait, now) : escapeLine(told(progress.doing));
}

/** All steps, those that are done with what they came to; at most a line for the current one, so that nothing jumps. */
export function progressLines(progress: TaskProgress, look: Look, now: number): string[] {
  return progress
    .steps(now)
    .flatMap((step) => (step.mark === "now" ? nowLines(progress, step, { look, now }) : stepLines(step, look, now)));
}

interface Drawing {
  look: Look;
  now: number;
}

const people: ReadonlySet<Wait["for"]> = new Set(["approval", "answer"]);

function nowLines(progress: TaskProgress, step: Step, { look, now }: Drawing): string[] {
  const { style } = look;
  const paused = progress.end?.kind === "paused";
  const mark = paused ? style.yellow(style.symbols.running) : markOf(step, style, now);
  const text = currentText(progress, now);
  // What a person is awaited for does not change: it may take more than a line.
  const still = paused || (progress.wait !== undefined && people.has(progress.wait.for));
  return drawn(step, still ? text : cutEnd(text, detailRoom(look) - 1, style.symbols.ellipsis), { mark, look });
}

/** The current step, and those to come on as few lines as they take. */
export function aheadLines(progress: TaskProgress, look: Look, { now, rows }: { now: number; rows: number }): string[] {
  const steps = progress.steps(now).filter(({ mark }) => mark === "now" || mark === "ahead");
  const [current, ...rest] = steps;
  if (!current) return [];
  const first = current.mark === "now" ? nowLines(progress, current, { look, now }) : stepLines(current, look, now);
  if (rows >= 30) return [...first, ...rest.flatMap((step) => stepLines(step, look, now))];
  const names = rest.map(({ state }) => words.states[state]).join(` ${look.style.symbols.arrow} `);
  return names === ""
    ? first
    : [...first, ...wrap(`${words.then} ${names}`, look.width - 2).map((line) => look.style.dim(`  ${line}`))];
}

/** Money and time of work so far, without the waits for people. */
export const costText = (progress: TaskProgress, { style }: Look, now: number): string =>
  `${money(progress.cost)} ${style.symbols.dot} ${words.ofWork(duration(progress.spentMs(now)))}`;

export const wayText = ({ style }: Look): string =>
  order.map((state) => words.states[state]).join(` ${style.symbols.arrow} `);
