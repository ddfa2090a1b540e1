// What happens in a task, as lines that stay: its steps, what its missions say and do, what is asked.
import { escapeLine } from "../../../base/escape.ts";
import type { Event, FactOf } from "../../../protocol/event.ts";
import { Log } from "../log.ts";
import { safeText } from "../render/safe-text.ts";
import type { Look } from "../render/style.ts";
import { wrap } from "../render/width.ts";
import { tasks as words } from "../words/tasks.ts";
import type { TaskProgress } from "./progress.ts";
import { stepLines } from "./steps.ts";

const indent = "    ";

export class TaskLog {
  readonly #log: Log;
  readonly #look: () => Look;

  /** `tell`: a call takes long enough to say that it runs. */
  constructor(look: () => Look, tell: (lines: string[]) => void) {
    this.#look = look;
    this.#log = new Log(() => this.#inner(), (lines) => tell(indented(lines)));
  }

  /** The lines that the event is worth; `progress` has already followed it. */
  lines(event: Event, progress: TaskProgress): string[] {
    const look = this.#look();
    switch (event.type) {
      case "task.moved":
        return moved(event, progress, look);
      case "task.told":
        return told(event, look);
      case "round.ended":
        return [...thoughts(event, this.#inner()), ...indented(this.#log.follow(event))];
      case "task.paused":
      case "task.ended":
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

/** A step that is left, with what it came to; what is only noted on the way stands below. */
function moved({ from, to, detail, at }: FactOf<"task.moved"> & { at: number }, progress: TaskProgress, look: Look): string[] {
  const { style } = look;
  if (from === to && to !== "COMPLETE") return dimmed(`${style.symbols.bullet} ${escapeLine(detail)}`, look);
  const step = progress.steps(at).find(({ state }) => state === from);
  if (!step) return [];
  const failed = to.startsWith("FAILED");
  const lines = stepLines({ ...step, detail, mark: failed ? "failed" : "done" }, look, at);
  return failed ? [...lines, style.red(`${style.symbols.failed} ${words.states[to]}`)] : lines;
}

function told({ text, ok }: FactOf<"task.told">, look: Look): string[] {
  const { style } = look;
  const { symbols } = style;
  const mark = ok === undefined ? symbols.running : ok ? style.green(symbols.done) : style.red(symbols.failed);
  return text.split("\n").flatMap((line, at) => dimmed(`${at === 0 ? mark : " "} ${escapeLine(line)}`, look));
}

const dimmed = (text: string, look: Look): string[] =>
  wrap(text, look.width - indent.length - 2).map((line, at) => `${indent}${at === 0 ? "" : "  "}${look.style.dim(line)}`);

/** What a mission says before it acts; its plans are shown otherwise. */
function thoughts({ content }: FactOf<"round.ended">, look: Look): string[] {
  const text = content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
  if (text === "" || /^[{[`]/.test(text)) return [];
  return indented(wrap(safeText(text), look.width).map(look.style.dim));
}
