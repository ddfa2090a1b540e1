// An image that was copied: read by the desktop's program or from the terminal, attached like a dropped one, and named where neither can.
import { Buffer } from "node:buffer";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { ClipboardAnswer } from "../../../../src/surfaces/tui/clipboard-answer.ts";
import { makeScene, messagesOf, type Scene } from "../../../scenarios/scene.ts";
import { open, ready } from "../../../scenarios/shown.ts";
import { buildOnce } from "../../../support/program.ts";
import { keys } from "../../../support/terminal.ts";

beforeAll(buildOnce, 60_000);

const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010800000000ff", "hex");
const seen = /"(\/\S+\/fettle-pasted-\w+\/image-\d\.png)"|@(\/\S+\/fettle-pasted-\w+\/image-\d\.png)/;

/** Stands in for a desktop's program: knows one image. */
function wlPaste(scene: Scene, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const image = scene.at("../copied");
  writeFileSync(image, png);
  const lines = ['[ "$1" = --list-types ] && exec echo "text/html\nimage/png"', `exec cat '${image}'`];
  writeFileSync(`${folder}/wl-paste`, `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(`${folder}/wl-paste`, 0o755);
  return folder;
}

test("Ctrl-V attaches the image that the desktop's program hands over; its file goes with the session; a question is not answered by it", async () => {
  await using scene = await makeScene(() => ({ say: "Seen." }), { files: { "a.txt": "a\n" } });
  const path = `${wlPaste(scene, scene.at("../programs"))}:${process.env["PATH"]}`;
  const shown = open(scene, { env: { PATH: path, WAYLAND_DISPLAY: "wayland-9" } });
  await shown.shows(ready);
  await shown.press(`look ${keys.control("v")}`, seen);
  const [, quoted, bare] = seen.exec(shown.everything()) ?? [];
  const file = quoted ?? bare ?? "";
  await shown.press(keys.enter, "Seen.");
  expect(JSON.stringify(messagesOf(scene.server.requests.at(-1)!).at(-1))).toContain(png.toString("base64"));
  expect(existsSync(file)).toBe(true);
  await shown.exits(keys.control("d"));
  expect(existsSync(file)).toBe(false);
});

test("without a program it is named; one of the workspace is none; kitty is asked itself, and its answer is nobody's typing", async () => {
  await using scene = await makeScene(() => ({ say: "Seen." }), { files: { "a.txt": "a\n" } });
  const own = wlPaste(scene, scene.at("bin"));
  const bare = open(scene, { env: { PATH: `${own}:${scene.at("../none")}`, WAYLAND_DISPLAY: "wayland-9" } });
  await bare.shows(ready);
  await bare.press(keys.control("v"), "once wl-clipboard is installed");
  bare.kill();
  const remote = open(scene);
  await remote.shows(ready);
  await remote.press(keys.control("v"), "hands over no image");
  remote.kill();
  const kitty = open(scene, { env: { TERM: "xterm-kitty" } });
  await kitty.shows(ready);
  kitty.send(keys.control("v"));
  await expect.poll(() => kitty.raw()).toContain("\x1b]5522;type=read;");
  const data = `DATA:mime=${Buffer.from("image/png").toString("base64")};${png.toString("base64")}`;
  const answer = ["OK", data, "DONE"].map((status) => `\x1b]5522;type=read:status=${status}\x1b\\`).join("");
  kitty.send(answer.slice(0, 60));
  kitty.send(answer.slice(60));
  await kitty.shows(seen);
  await kitty.press(keys.enter, "Seen.");
  const sent = JSON.stringify(messagesOf(scene.server.requests.at(-1)!).at(-1));
  expect(sent).toContain(png.toString("base64"));
  expect(sent).not.toContain("status");
});

test("property: however the answer is cut, the image is whole and what was typed beside it is kept", () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const typed = fc.array(fc.constantFrom("a", "\x1b", "\x1b[A", "]", "\r"), { maxLength: 4 });
  fc.assert(
    fc.property(pieces, typed, fc.integer({ min: 1, max: 9 }), (of, keysTyped, step) => {
      const mime = Buffer.from("image/png").toString("base64");
      const data = of.map((piece) => `DATA:mime=${mime};${Buffer.from(piece).toString("base64")}`);
      const answers = ["OK", ...data, "DONE"].map((status) => `\x1b]5522;type=read:status=${status}\x1b\\`);
      const stream = answers.map((each, at) => `${keysTyped[at] ?? ""}${each}`).join("");
      let image: Uint8Array | undefined;
      const reader = new ClipboardAnswer(["image/png"], (found) => (image = found));
      let keysHeard = "";
      const first = (keysTyped[0] ?? "").length + 2;
      for (let at = 0; at < stream.length; at += at === 0 ? first : step)
        keysHeard += reader.take(stream.slice(at, at + (at === 0 ? first : step)));
      expect(Buffer.from(image ?? []).equals(Buffer.concat(of))).toBe(true);
      expect(keysHeard).toBe(answers.map((_, at) => keysTyped[at] ?? "").join(""));
    }),
  );
});
