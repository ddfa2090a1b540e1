// Colours that can be read on the terminal's background, and a status line as the person wants it.
import { beforeAll, expect, test } from "vitest";
import { createStyle, lightGround, paletteOf } from "../../../../src/surfaces/cli/text/style.ts";
import { buildOnce } from "../../../support/program.ts";
import { keys } from "../../../support/terminal.ts";
import { call, makeScene } from "../../../scenarios/scene.ts";
import { open } from "../../../scenarios/shown.ts";

beforeAll(buildOnce, 60_000);

test("a background is light or dark as the terminal says; anything else is no answer, and no colour", () => {
  expect(lightGround("\x1b]11;rgb:ffff/ffff/eeee\x1b\\")).toBe(true);
  expect(lightGround("\x1b]11;rgb:1c/1c/1c\x07")).toBe(false);
  for (const answer of ["\x1b]11;?\x07", "x", "\x1b]10;rgb:ff/ff/ff\x07", "\x1b]11;rgb:zz/1/1\x07"])
    expect(lightGround(answer)).toBeUndefined();
  const palette = paletteOf({ red: "#ff0000", green: "28", blue: "999", cyan: "\x1b[31m", bold: "1", yellow: 3 });
  expect(palette).toEqual({ red: "#ff0000", green: "28" });
  const { red, green, blue } = createStyle({ colour: true, unicode: true, palette });
  expect([red("x"), green("x"), blue("x")]).toEqual([
    "\x1b[38;2;255;0;0mx\x1b[39m",
    "\x1b[38;5;28mx\x1b[39m",
    "\x1b[34mx\x1b[39m",
  ]);
  expect(createStyle({ colour: false, unicode: true, palette }).red("x")).toBe("x");
});

test("the terminal is asked and not waited for; its late answer is nobody's typing; a theme is chosen by its look", async () => {
  await using scene = await makeScene([]);
  await scene.run(["config", "set", "terminal.status", '["mode", "model"]']);
  const shown = open(scene, { columns: 100 });
  await shown.shows(/^standard · openai\/scripted$/m);
  expect(shown.raw()).toContain("\x1b]11;?\x1b\\");
  shown.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
  await shown.enter("/theme", /Colours:[^]*› auto[^]*done {2}asks {2}failed/);
  expect(shown.raw()).toContain("\x1b[38;5;30mColours:");
  expect(shown.everything()).not.toContain("rgb:");
  await shown.press("none", "› none");
  await shown.press(keys.enter, "fettle config set terminal.theme none");
  expect(await shown.exits(keys.control("d"))).toBe(0);
  const plain = open(scene);
  await plain.shows(/^standard · openai\/scripted$/m);
  expect(plain.raw()).not.toMatch(/\x1b\[3[1-6]m|\x1b\]11;/);
  expect(await plain.exits(keys.control("d"))).toBe(0);
});

test("terminal.keys vi: Esc begins commands, Enter sends; terminal.diff beside: before and after stand beside each other", async () => {
  const edit = call("edit", { path: "add.js", edits: [{ old: "a - b", new: "a + b" }] });
  await using scene = await makeScene([edit, "Mended."], { files: { "add.js": "const add = (a, b) => a - b;\n" } });
  await scene.run(["config", "set", "terminal.keys", "vi"]);
  await scene.run(["config", "set", "terminal.diff", "beside"]);
  const shown = open(scene, { columns: 120 });
  await shown.shows(/openai\/scripted · standard/);
  await shown.press("mend the tests", "mend the tests");
  await shown.press(keys.escape, /─ NORMAL\n/);
  await shown.press("0d", /─ NORMAL d\n/);
  // Esc gives up what was begun of a command.
  await shown.press(keys.escape, /─ NORMAL\n/);
  await shown.press("wdw", /^mend tests\s*\n─+ NORMAL\n/m);
  await shown.press("u", /^mend the tests\s*\n─/m);
  await shown.press("wcw", /^mend the\s*\n─+\s*\n/m);
  await shown.press("sum", /^mend the sum\s*\n─+\s*\n/m);
  shown.type(keys.escape);
  await shown.shows(/─ NORMAL\n/);
  await shown.press(
    keys.enter,
    /1 - const add = \(a, b\) => a - b; +│ +1 \+ const add = \(a, b\) => a \+ b;[^]*✓ done/,
  );
  expect(JSON.stringify(scene.server.requests[0]!.body)).toContain("mend the sum");
  // A new prompt begins with typing.
  await shown.press("i am typed", /^i am typed\s*\n─+\s*\n/m);
  expect(shown.raw()).not.toContain("Back to before which turn?");
  shown.type(keys.control("c"));
  expect(await shown.exits(keys.control("d"))).toBe(0);
});
