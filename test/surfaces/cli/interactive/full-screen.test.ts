// terminal.view full: the session in the alternate screen, which scrolls, searches and leaves the conversation behind at its end.
import { beforeAll, expect, test } from "vitest";
import { byResults, makeScene } from "../../../scenarios/scene.ts";
import { open, ready } from "../../../scenarios/shown.ts";
import { buildOnce } from "../../../support/program.ts";
import { keys } from "../../../support/terminal.ts";

beforeAll(buildOnce, 60_000);

const pageUp = "\x1b[5~";
const end = "\x1b[F";
const wheelUp = "\x1b[<64;10;5M";

test("the view scrolls by page and wheel, finds what was said, keeps its place, and everything stands in the scrollback afterwards", async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `row ${at + 1} of the answer`).join("\n\n");
  await using scene = await makeScene(byResults(lines, "Second."), { files: { "a.txt": "a\n" } });
  await scene.run(["config", "set", "terminal.view", "full"]);
  const shown = open(scene, { rows: 30 });
  await shown.shows(ready);
  expect(shown.raw()).toContain("\x1b[?1049h");
  await shown.enter("tell me", "row 120 of the answer");
  // Nothing is in the terminal's own scrollback.
  expect(shown.everything()).toBe(shown.screen());
  shown.send(pageUp);
  await expect.poll(() => shown.screen()).toContain("newer below: End");
  expect(shown.screen()).not.toContain("row 120 of the answer");
  const before = /row \d+/.exec(shown.screen())?.[0];
  shown.send(wheelUp);
  await expect.poll(() => /row \d+/.exec(shown.screen())?.[0]).not.toBe(before);
  await shown.resize(60, 20);
  await expect.poll(() => shown.screen()).toContain("newer below: End");
  shown.send(end);
  await expect.poll(() => shown.screen()).toContain("row 120 of the answer");

  shown.send(keys.control("f"));
  await expect.poll(() => shown.screen()).toContain("Find in the conversation");
  shown.type("row 7 of the");
  await expect.poll(() => shown.screen()).toMatch(/row 7 of the answer[^]*1\/1|1\/1[^]*row 7 of the answer/);
  shown.type(" moon");
  await expect.poll(() => shown.screen()).toContain("not found");
  shown.send(keys.escape);
  await expect.poll(() => shown.screen()).not.toContain("not found");
  // Esc has closed the search and nothing else, and the editor has the keys again.
  await shown.enter("and again", "Second.");

  await shown.exits(keys.control("d"));
  expect(shown.raw().lastIndexOf("\x1b[?1049l")).toBeGreaterThan(shown.raw().lastIndexOf("\x1b[?1049h"));
  const rows = [...shown.everything().matchAll(/^\s*row (\d+) of the answer$/gm)].map(([, row]) => Number(row));
  expect(rows).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  expect(shown.everything()).toContain("Second.");
});
