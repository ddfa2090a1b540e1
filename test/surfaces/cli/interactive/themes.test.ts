// Colours that can be read on the terminal's background, and a status line as the person wants it.
import { beforeAll, expect, test } from "vitest";
import { createStyle, lightGround, paletteOf } from "../../../../src/surfaces/cli/text/style.ts";
import { buildOnce } from "../../../support/program.ts";
import { keys } from "../../../support/terminal.ts";
import { makeScene } from "../../../scenarios/scene.ts";
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
