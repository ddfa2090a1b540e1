// A program in a pseudo terminal, with a screen that can be read.
import pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { setTimeout as sleep } from "node:timers/promises";

export interface TerminalOptions {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** One place of the screen. `color`: 0 to 15 of the palette; undefined: the terminal's own, or one outside of it. */
export interface Cell {
  text: string;
  color: number | undefined;
  bold: boolean;
  dim: boolean;
}

export interface TerminalProgram {
  /** What the screen shows now, without trailing blanks. */
  screen(): string;
  /** Screen and everything that has scrolled away. */
  everything(): string;
  /** The same as cells, line by line. */
  cells(): Cell[][];
  /** The bytes that the program wrote. */
  raw(): string;
  /** As a person types: an Enter behind text comes when the text is seen, and what follows when the Enter has done something. */
  type(text: string): void;
  /** All of it at once, as a paste without marks comes. */
  send(text: string): void;
  /** What has been written is drawn at the old size first. The emulator has no less than two columns. */
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves when the screen (with what scrolled away) shows the text; rejects with the screen when time is over. */
  shows(text: string | RegExp, timeoutMs?: number): Promise<void>;
  /** Types, then waits for what is to show. */
  press(typed: string, text: string | RegExp, timeoutMs?: number): Promise<void>;
  /** The same with a line and Enter. */
  enter(line: string, text: string | RegExp, timeoutMs?: number): Promise<void>;
  exited: Promise<number>;
  /** Types, then waits for the end. */
  exits(typed: string): Promise<number>;
  kill(signal?: string): void;
}

export const keys = {
  enter: "\r",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  left: "\x1b[D",
  right: "\x1b[C",
  escape: "\x1b",
  backspace: "\x7f",
  control: (letter: string) => String.fromCharCode(letter.toLowerCase().charCodeAt(0) - 96),
  paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
} as const;

/** Silence after the end of a program that means that nothing more comes. */
const quietMs = 250;

/** Whoever starts it waits for its end or kills it. */
export function startTerminal(options: TerminalOptions): TerminalProgram {
  const columns = options.columns ?? 90;
  const rows = options.rows ?? 40;
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
  const child = pty.spawn(options.program, [...options.args], {
    cols: columns,
    rows,
    cwd: options.cwd,
    env: options.env,
    name: options.env["TERM"] ?? "xterm-256color",
  });
  let raw = "";
  let heardAt = performance.now();
  child.onData((data) => {
    raw += data;
    heardAt = performance.now();
    terminal.write(data);
  });
  const gone = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => resolve(exitCode));
  });
  // The end of a program may be told before its last words have been read and drawn.
  const exited = gone.then(async (code) => {
    const from = performance.now();
    while (performance.now() - Math.max(from, heardAt) < quietMs) await sleep(20);
    await new Promise<void>((resolve) => terminal.write("", resolve));
    return code;
  });
  const read = (from: number) => {
    const { active } = terminal.buffer;
    const lines = [];
    for (let row = from; row < active.length; row++) lines.push(active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  };
  const cells = () =>
    Array.from({ length: terminal.buffer.active.length }, (_, row) => {
      const line = terminal.buffer.active.getLine(row);
      return Array.from({ length: terminal.cols }, (__, at): Cell => {
        const cell = line?.getCell(at);
        return {
          text: cell?.getChars() || " ",
          color: cell?.isFgPalette() ? cell.getFgColor() : undefined,
          bold: cell?.isBold() !== 0,
          dim: cell?.isDim() !== 0,
        };
      });
    });
  const screen = () => read(terminal.buffer.active.baseY);
  const everything = () => read(0);
  const shows = async (text: string | RegExp, timeoutMs = 10_000) => {
    const until = Date.now() + timeoutMs;
    const shown = () => (typeof text === "string" ? everything().includes(text) : text.test(everything()));
    while (!shown()) {
      if (Date.now() > until) throw new Error(`the screen does not show ${String(text)}:\n${everything()}`);
      await sleep(15);
    }
  };
  let typing = Promise.resolve();
  const until = async (done: () => boolean) => {
    for (let waited = 0; waited < 1_000 && !done(); waited += 10) await sleep(10);
  };
  const write = async (text: string) => {
    const [, typed = text, enter = ""] = /^([^]+?)(\r?)$/.exec(text) ?? [];
    let before = raw.length;
    child.write(typed);
    if (enter === "") return;
    const [last = ""] = /[^\x00-\x1f\x7f]*$/.exec(typed.trimEnd()) ?? [];
    await sleep(40);
    await until(() => raw.length > before && everything().includes(last.slice(-20)));
    before = raw.length;
    child.write(enter);
    await until(() => raw.length > before);
  };
  const type = (text: string) => {
    typing = typing.then(() => write(text));
  };
  const press = (typed: string, ...shown: Parameters<typeof shows>) => {
    type(typed);
    return shows(...shown);
  };
  return {
    screen,
    everything,
    cells,
    raw: () => raw,
    type,
    send: (text) => child.write(text),
    async resize(newColumns, newRows) {
      await new Promise<void>((resolve) => terminal.write("", resolve));
      terminal.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    shows,
    press,
    enter: (line, ...shown) => press(line + keys.enter, ...shown),
    exited,
    exits: (typed) => {
      type(typed);
      return exited;
    },
    kill: (signal) => child.kill(signal),
  };
}
