// What happens in a task, as lines that stay: its steps, what its missions say and do, what is asked.
import { escapeLine } from "../../../base/escape.ts";
import { withoutJunit, withoutReport } from "../../../base/report-wrapper.ts";
import type { Event, FactOf } from "../../../protocol/event.ts";
import { Log } from "../render/log.ts";
import { duration } from "../text/amounts.ts";
import { Calls, outputText, tail } from "../render/call.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { cutEnd, textWidth, wrap } from "../text/width.ts";
import { words as session } from "../words/session.ts";
import { tasks as words } from "../words/tasks.ts";
import type { TaskProgress } from "./progress.ts";
import { stepLines } from "./steps.ts";
import { textIn } from "../../../base/text-in.ts";
import { told } from "../../phrases/phrases.ts";

const indent = "    ";

export class TaskLog {
  readonly #log: Log;
  readonly #calls = new Calls();
  readonly #look: () => Look;

  /** `tell`: a call takes long enough to say that it runs. */
  constructor(look: () => Look, tell: (lines: string[]) => void) {
    this.#look = look;
    this.#log = new Log(
      () => this.#inner(),
      (lines) => tell(indented(lines)),
    );
  }

  /** The lines that the event is worth; `progress` has already followed it. */
  lines(event: Event, progress: TaskProgress): string[] {
    const look = this.#look();
    const call = this.#calls.follow(event);
    switch (event.type) {
      case "call.ended": {
        const lines = this.#log.follow(event);
        if (event.tool !== "task" || !call?.action) return indented(lines);
        return call.action.kind === "shell"
          ? indented(commandLines(withoutReport(call.action.command), event, this.#inner()))
          : [];
      }
      case "task.moved":
        return moved(event, progress, look);
      case "task.told":
        return noted(event, look);
      case "round.ended":
        return [...thoughts(event, this.#inner()), ...indented(this.#log.follow(event))];
      case "task.ended": {
        const last = progress.steps(event.at).find(({ state }) => state === event.state);
        return last
          ? stepLines({ ...last, detail: event.text, mark: event.exit === 0 ? "done" : "failed" }, look, event.at)
          : [];
      }
      case "task.paused":
      case "turn.ended":
      case "session.cleared":
      case "note.added":
        return [];
      default:
        return indented(this.#log.follow(event));
    }
  }

  #inner(): Look {
    const look = this.#look();
    return { ...look, width: Math.max(20, look.width - indent.length) };
  }
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `${indent}${line}`);

const shownOutput = 12;

/** A command that fettle runs for the task: the end of its output only where it failed. */
function commandLines(command: string, { result, ms }: FactOf<"call.ended">, look: Look): string[] {
  const { style } = look;
  const exit = result.params?.["exit"];
  const good = result.status === "done" && (exit === undefined || exit === 0);
  // A test that is red before there is code, or a check that was red before, is what was to be found out.
  const expected = !good && result.params?.["mayFail"] === true;
  const mark = good
    ? style.green(style.symbols.done)
    : expected
      ? style.symbols.bullet
      : style.red(style.symbols.failed);
  const ended = good ? "" : typeof exit === "number" ? session.exit(exit) : session.status.failed;
  const after = [ended, ms >= 500 ? duration(ms) : ""].filter(Boolean).join("  ");
  const text = escapeLine(command);
  const room = look.width - textWidth(after) - 8;
  const line =
    `  ${mark} ${style.bold("$")} ${cutEnd(text, room, style.symbols.ellipsis)}  ${style.dim(after)}`.trimEnd();
  return good || expected
    ? [line]
    : [line, ...tail(withoutJunit(outputText(result)), look, { most: shownOutput, cut: result.spill !== undefined })];
}

/** A step that is left, with what it came to; what is only noted on the way stands below. */
function moved(
  { from, to, detail, at }: FactOf<"task.moved"> & { at: number },
  progress: TaskProgress,
  look: Look,
): string[] {
  const { style } = look;
  // What the last state notes is told when the task has ended.
  if (to === "COMPLETE" && from === to) return [];
  if (from === to) return dimmed(`${style.symbols.bullet} ${escapeLine(told(detail))}`, look);
  const step = progress.steps(at).find(({ state }) => state === from);
  if (!step) return [];
  const failed = to.startsWith("FAILED");
  const sentBack = from === "VERIFYING" && to === "IMPLEMENTING";
  const lines = stepLines({ ...step, detail, mark: failed || sentBack ? "failed" : "done" }, look, at);
  return failed ? [...lines, style.red(`${style.symbols.failed} ${words.states[to]}`)] : lines;
}

function noted({ text, ok }: FactOf<"task.told">, look: Look): string[] {
  const { style } = look;
  const { symbols } = style;
  const mark = ok === undefined ? symbols.running : ok ? style.green(symbols.done) : style.red(symbols.failed);
  return told(text)
    .split("\n")
    .flatMap((line, at) => dimmed(`${at === 0 ? mark : " "} ${escapeLine(line)}`, look));
}

const dimmed = (text: string, look: Look): string[] =>
  wrap(text, look.width - indent.length - 2).map(
    (line, at) => `${indent}${at === 0 ? "" : "  "}${look.style.dim(line)}`,
  );

/** What a mission says before it acts; its plans are shown otherwise, whatever words stand around them. */
function thoughts({ content }: FactOf<"round.ended">, look: Look): string[] {
  const text = withoutAnswer(textIn(content));
  if (text === "") return [];
  return indented(wrap(safeText(text), look.width).map(look.style.dim));
}

/** Words without the JSON that they lead to. */
function withoutAnswer(text: string): string {
  const start = text.search(/```(?:json)?\s*[{[]|^\s*[{[]\s*(?:"|\{|$)|\{\s*"/m);
  if (start < 0) return text.trim();
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return `${text.slice(0, start)}${text.slice(end + 1).replace(/^\s*```/, "")}`.trim();
}
