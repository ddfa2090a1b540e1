// The screen over a terminal whose size changes before the program has been told.
import headless from "@xterm/headless";
import { expect, test } from "vitest";
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
