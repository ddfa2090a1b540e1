// The screen over a terminal whose size changes before the program has been told.
import headless from "@xterm/headless";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { pastedAtOnce, PasteTerminal } from "../../../src/surfaces/tui/paste-terminal.ts";
import { ScrollingScreen } from "../../../src/surfaces/tui/scrolling-screen.ts";

test("a frame that comes before the signal of a new size leaves every line where it is, and once", async () => {
  const emulator = new headless.Terminal({ cols: 120, rows: 40, allowProposedApi: true });
  const terminal = {
    columns: 120,
    rows: 40,
    write: (data: string) => emulator.write(data),
    clearScreen: () => undefined,
    hideCursor: () => undefined,
    showCursor: () => undefined,
  };
  const measure = () => {
    terminal.columns = emulator.cols;
    terminal.rows = emulator.rows;
  };
  let spins = 0;
  const bottom = () => ["", "being written", "", "entry", `${spins} ${"a status that is wider ".repeat(3)}`];
  const screen = new ScrollingScreen(terminal, bottom, measure);
  const drawn = () => new Promise<void>((resolve) => emulator.write("", resolve));
  const finished = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  screen.print(finished);
  screen.renderNow();
  await drawn();
  for (const [columns, rows] of [
    [30, 8],
    [90, 30],
    [20, 9],
    [120, 40],
  ] as const) {
    emulator.resize(columns, rows);
    spins += 1;
    screen.renderNow();
    // The signal comes now.
    measure();
    screen.renderNow();
    await drawn();
  }
  const { active } = emulator.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
  expect(rows.filter((row) => /^line \d+$/.test(row))).toEqual(finished);
  expect(rows.filter((row) => row === "being written")).toHaveLength(1);
});

test("an empty screen: what stood there goes to the scrollback once, without what was below it", async () => {
  const emulator = new headless.Terminal({ cols: 60, rows: 20, allowProposedApi: true });
  const terminal = {
    ...{
      columns: 60,
      rows: 20,
      clearScreen: () => undefined,
      hideCursor: () => undefined,
      showCursor: () => undefined,
    },
    write: (data: string) => emulator.write(data.replaceAll(/(?<!\r)\n/g, "\r\n")),
  };
  const screen = new ScrollingScreen(
    terminal,
    () => ["", "entry"],
    () => undefined,
  );
  for (const count of [3, 30]) {
    screen.print(Array.from({ length: count }, (_, at) => `${count}: ${at}`));
    screen.renderNow();
    screen.clear();
  }
  await new Promise<void>((resolve) => emulator.write("", resolve));
  const { active } = emulator.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
  const expected = [3, 30].flatMap((count) => Array.from({ length: count }, (_, at) => `${count}: ${at}`));
  expect(rows.slice(0, active.baseY).filter((row) => row !== "")).toEqual(expected);
  expect(rows.slice(active.baseY).filter((row) => row !== "")).toEqual(["entry"]);
});

test("whatever is printed or stands below, at any width, is drawn: a letter too wide for the terminal is left out", () => {
  const unit = fc.constantFrom(
    "a",
    " ",
    "日",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "é",
    "e\u0301",
    "\u200b",
    "\t",
    "ﷺ",
    "\x1b[31m",
    "\x1b[39m",
    "क्षि",
    "\ufe0f",
    "א",
  );
  const lines = fc.array(fc.string({ unit, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      lines,
      lines,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      (printed, below, columns, rows) => {
        let written = "";
        const terminal = {
          ...{ columns, rows, clearScreen: () => undefined, hideCursor: () => undefined, showCursor: () => undefined },
          write: (data: string) => {
            written += data;
          },
        };
        let entry = below;
        const screen = new ScrollingScreen(
          terminal,
          () => entry,
          () => undefined,
        );
        screen.print(printed);
        screen.renderNow();
        entry = [...below, "x".repeat(columns)];
        screen.print(printed);
        screen.renderNow();
        expect(written).not.toMatch(/\x1b\[[23]J/);
      },
    ),
  );
});

test("a frame is one write, however much of it there is, and a hidden cursor is not hidden again", () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const terminal = new PasteTerminal();
    for (let frame = 0; frame < 2; frame++)
      terminal.frame(() => {
        terminal.write("a");
        terminal.hideCursor();
        terminal.write("b");
      });
    expect(write.mock.calls.map(([text]) => text)).toEqual(["a\x1b[?25lb", "ab"]);
  } finally {
    write.mockRestore();
  }
});

test("text that comes at once with its Enter is a paste while something is asked, and always with more behind the Enter", () => {
  expect(pastedAtOnce("a\r", true)).toBe("a");
  expect(pastedAtOnce("a\r", false)).toBe(undefined);
  expect(pastedAtOnce("one\rtwo\r", false)).toBe("one\rtwo");
  expect(pastedAtOnce("\r", true)).toBe(undefined);
  expect(pastedAtOnce("\x1b[A\r", true)).toBe(undefined);
});
