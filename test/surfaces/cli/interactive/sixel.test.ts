// Pictures as sixels: asked for, drawn in their colours and their room, and never typed into the prompt.
import type { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { PNG } from "pngjs";
import { beforeAll, expect, test } from "vitest";
import { sixelsOf } from "../../../../src/surfaces/tui/sixel.ts";
import { TerminalPictures } from "../../../../src/surfaces/tui/terminal-pictures.ts";
import { makeScene } from "../../../scenarios/scene.ts";
import { open, ready } from "../../../scenarios/shown.ts";
import { buildOnce } from "../../../support/program.ts";

beforeAll(buildOnce, 60_000);

type Colour = readonly [number, number, number, number];

function png(width: number, height: number, colour: (x: number, y: number) => Colour): Buffer {
  const picture = new PNG({ width, height });
  for (let at = 0; at < width * height; at += 1) picture.data.set(colour(at % width, Math.floor(at / width)), at * 4);
  return PNG.sync.write(picture);
}

/** What a terminal makes of it: the colour of each place in percent; undefined: nothing was drawn there. */
function decoded(bytes: string) {
  const [, width = "0", height = "0", body = ""] = /^\x1bP0;1;0q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\$/.exec(bytes) ?? [];
  const palette = new Map<string, number[]>();
  const drawn = new Map<string, number[]>();
  let [x, top, now] = [0, 0, [] as number[]];
  for (const [, number, rgb, count, sign, move] of body.matchAll(/#(\d+)(?:;2;([\d;]+))?|(?:!(\d+))?([?-~])|([$-])/g)) {
    if (number !== undefined && rgb !== undefined) palette.set(number, rgb.split(";").map(Number));
    else if (number !== undefined) now = palette.get(number) ?? [];
    else if (move !== undefined) {
      if (move === "-") top += 6;
      x = 0;
    } else
      for (let left = Number(count ?? 1); left > 0; left -= 1, x += 1)
        for (let row = 0; row < 6; row += 1)
          if (((sign?.charCodeAt(0) ?? 63) - 63) & (1 << row)) drawn.set(`${x},${top + row}`, now);
  }
  return { width: Number(width), height: Number(height), drawn };
}

test("property: each sixel has its picture's colour, where it is not transparent, and fits its room", () => {
  const channel = fc.integer({ min: 0, max: 255 });
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.tuple(side, side), fc.tuple(channel, channel, channel), fc.tuple(side, side), (of, rgb, to) => {
      const [width, height] = of;
      const clear = (x: number) => x % 7 === 3;
      const data = png(width, height, (x) => [...rgb, clear(x) ? 0 : 255]);
      const room = { width: to[0], height: to[1] + 5 };
      const { bytes, height: taken } = sixelsOf(data.toString("base64"), { width, height }, room)!;
      const shown = decoded(bytes);
      expect(taken).toBeLessThanOrEqual(room.height);
      expect(shown.width).toBeLessThanOrEqual(Math.min(width, room.width));
      expect(Math.ceil(shown.height / 6) * 6).toBe(taken);
      for (const colour of shown.drawn.values())
        colour.forEach((part, at) => expect(Math.abs(part - ((rgb[at] ?? 0) / 255) * 100)).toBeLessThanOrEqual(21));
      if (shown.width === width && shown.height === height)
        for (let at = 0; at < width * height; at += 1)
          expect(shown.drawn.has(`${at % width},${Math.floor(at / width)}`)).toBe(!clear(at % width));
    }),
    { numRuns: 40 },
  );
  expect(sixelsOf("AAAA", { width: 1, height: 1 }, { width: 9, height: 9 })).toBeUndefined();
  expect(sixelsOf("AAAA", { width: 90_000, height: 90_000 }, { width: 9, height: 9 })).toBeUndefined();
});

test("who is asked, and what is an answer", () => {
  expect(new TerminalPictures("auto", { TERM: "xterm-256color" }).question).toBe("\x1b[16t");
  for (const env of [{ TERM: "xterm-kitty" }, { TERM: "xterm", TMUX: "1" }, { TERM: "linux" }])
    expect(new TerminalPictures("auto", env).question).toBe("");
  const none = new TerminalPictures("none", { TERM: "xterm" });
  expect(none.question).toBe("");
  expect(none.answered("\x1b[6;20;10t")).toBe(true);
  expect(none.answered("4")).toBe(false);
});

test("a terminal that says so gets a picture in the rows that it takes; its answers are nobody's typing", async () => {
  await using scene = await makeScene(() => ({ say: "Seen." }), { files: { "a.txt": "a\n" } });
  writeFileSync(
    scene.at("pic.png"),
    png(100, 90, (x) => [x * 2, 40, 200, 255]),
  );
  const shown = open(scene, { rows: 30 });
  await shown.shows(ready);
  expect(shown.raw()).toContain("\x1b[16t");
  shown.send("\x1b[?62;4;22c\x1b[6;20;10t");
  await shown.enter("see @pic.png", "Seen.");
  const [drawn = ""] = /\x1bP0;1;0q[^\x1b]*\x1b\\/.exec(shown.raw()) ?? [];
  expect(decoded(drawn)).toMatchObject({ width: 100, height: 90 });
  // 90 pixels of 20 are 5 rows.
  expect(shown.everything()).toMatch(/\+ image\/png\n(?: *\n){6}\S/);
  expect(shown.everything()).not.toMatch(/62;4|6;20/);
});
