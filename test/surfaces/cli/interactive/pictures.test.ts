// Pictures that are attached, dropped and unfolded: drawn where the terminal can, named elsewhere, and never in the way of lines.
import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { droppedImage } from "../../../../src/surfaces/tui/dropped-file.ts";
import { drawnPicture, pictureProtocol } from "../../../../src/surfaces/tui/pictures.ts";
import { mentionsOf } from "../../../../src/base/mentions.ts";
import { buildOnce } from "../../../support/program.ts";
import { keys } from "../../../support/terminal.ts";
import { byResults, makeScene, messagesOf, read } from "../../../scenarios/scene.ts";
import { open, ready } from "../../../scenarios/shown.ts";

beforeAll(buildOnce, 60_000);

/** As much of a PNG as says how large it is. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from("89504e470d0a1a0a0000000d494844520000000000000000080600000000000000", "hex");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

test("a picture is attached, unfolded and dropped: it stands in its place once, whatever is written and resized behind it", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1} of it`).join("\n\n");
  await using scene = await makeScene(byResults("Seen.", [read("pic.png")], lines, "Seen the third.", "Fourth."), {
    files: { "a.txt": "a\n" },
  });
  writeFileSync(scene.at("pic.png"), png(90, 90));
  const shown = open(scene, { env: { TERM: "xterm-kitty" }, rows: 30 });
  const drawn = () => [...shown.raw().matchAll(/\x1b_Ga=T,f=100,q=2,C=1,c=(\d+),r=(\d+);([\w+/=]+)\x1b\\/g)];
  await shown.shows(ready);
  await shown.enter("see @pic.png", "Seen.");
  await shown.shows("+ image/png");
  expect(drawn().map(([, columns, rows]) => [columns, rows])).toEqual([["10", "5"]]);
  expect(drawn()[0]?.[3]).toBe(png(90, 90).toString("base64"));
  // The rows that it takes stand empty, with the one that parts it from what comes next.
  expect(shown.everything()).toMatch(/\+ image\/png\n(?: *\n){6}! Text from an attached image/);
  await shown.enter("look at it", "line 60 of it");
  expect(drawn()).toHaveLength(1);
  await shown.press(keys.control("o"), "│ pic.png: image/png");
  await expect.poll(() => drawn().length).toBe(2);
  for (const [columns, rows] of [
    [40, 10],
    [120, 40],
    [90, 30],
  ] as const)
    await shown.resize(columns, rows);

  // A file that lies elsewhere, as a terminal spells it; what only has the name of an image is not attached.
  const desktop = scene.at("../desk top");
  mkdirSync(desktop);
  writeFileSync(`${desktop}/shot one.png`, png(1800, 300));
  writeFileSync(`${desktop}/secret.png`, "no image\n");
  shown.send(keys.paste(`'${desktop}/shot one.png'`));
  await shown.shows(`@"${desktop}/shot one.png"`);
  await shown.press(keys.enter, "Seen the third.");
  expect(JSON.stringify(messagesOf(scene.server.requests.at(-1)!).at(-1))).toContain(png(1800, 300).toString("base64"));
  expect(drawn().map(([, columns, rows]) => [columns, rows])).toEqual([
    ["10", "5"],
    ["10", "5"],
    ["60", "5"],
  ]);
  shown.send(keys.paste(`${desktop.replaceAll(" ", "\\ ")}/secret.png`));
  await shown.shows('secret.png" ');
  await shown.press(keys.enter, "is not attached: it is no image");
  expect(shown.raw()).not.toMatch(/\x1b\[[23]J/);
  const found = [...shown.everything().matchAll(/^line (\d+) of it$/gm)].map(([, line]) => Number(line));
  expect(found).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
});

test("where the terminal is not known to draw them, or the setting says none, a picture is named only", async () => {
  await using scene = await makeScene(() => ({ say: "Seen." }), { files: { "a.txt": "a\n" } });
  writeFileSync(scene.at("pic.png"), png(90, 90));
  const plain = open(scene, { rows: 30 });
  await plain.shows(ready);
  await plain.enter("see @pic.png", "Seen.");
  await scene.run(["config", "set", "terminal.images", "none"]);
  const off = open(scene, { env: { TERM: "xterm-kitty" }, rows: 30 });
  await off.shows(ready);
  await off.enter("see @pic.png", "Seen.");
  for (const shown of [plain, off]) {
    expect(shown.everything()).toContain("+ image/png");
    expect(shown.raw()).not.toMatch(/\x1b_G|1337;File/);
  }
});

test("pictures know their terminal and their room, and nothing but an image is drawn", () => {
  expect(pictureProtocol({ TERM: "xterm-kitty" })).toBe("kitty");
  expect(pictureProtocol({ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" })).toBe("iterm2");
  expect(pictureProtocol({ TERM: "xterm-256color", KITTY_WINDOW_ID: "1", TMUX: "/tmp/x" })).toBeUndefined();
  expect(pictureProtocol({ TERM: "xterm-256color" })).toBeUndefined();
  const data = png(90, 90).toString("base64");
  const room = { columns: 80, rows: 24 };
  expect(drawnPicture({ mime: "image/png", data }, "iterm2", room)).toEqual({
    bytes: `\x1b]1337;File=inline=1;size=33;width=10;height=5:${data}\x07`,
    rows: 5,
  });
  expect(drawnPicture({ mime: "image/gif", data }, "kitty", room)).toBeUndefined();
  expect(drawnPicture({ mime: "image/png", data: `${data}\x1b\\\x1b[2J` }, "kitty", room)).toBeUndefined();
  expect(drawnPicture({ mime: "image/png", data: "AAAA" }, "kitty", room)).toBeUndefined();
  const sizes = fc.nat(0xffff_ffff);
  fc.assert(
    fc.property(sizes, sizes, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 100 }), (...of) => {
      const [width, height, columns, rows] = of;
      const picture = { mime: "image/png", data: png(width, height).toString("base64") };
      const drawn = drawnPicture(picture, "kitty", { columns, rows });
      if (drawn) expect(drawn.rows).toBeLessThanOrEqual(rows - 4);
    }),
  );
});

test("property: a dropped path is attached under its own name, however the terminal spells it; prose is prose", () => {
  const name = fc.string({ unit: fc.constantFrom(..."ab 'ä$&()[]-_.%#"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, (of) => {
      const path = `/home/me/${of.trim()}x.png`;
      const spelt = [
        path.replace(/[ '$&()[\]#]/g, "\\$&"),
        `file://${path.split("/").map(encodeURIComponent).join("/")}`,
      ];
      if (!path.includes("'")) spelt.push(`'${path}'`);
      for (const each of spelt) expect(mentionsOf(droppedImage(each) ?? "")).toEqual([path]);
    }),
  );
  for (const text of [
    "/a/b.png and /c/d.png",
    "see /a/b.png",
    "b.png",
    "/a/b.txt",
    "file://host/a.png",
    "file:///%zz.png",
    "/a\n/b.png",
  ])
    expect(droppedImage(text)).toBeUndefined();
});
