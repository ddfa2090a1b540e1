import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seatbeltProfile } from "../../../src/io/sandbox/seatbelt.ts";
import { makeWorld, sandboxSpec, type World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
  mkdirSync(path.join(world.workspace, ".git"));
  writeFileSync(path.join(world.workspace, ".git/HEAD"), "");
});
afterEach(() => world.remove());

const view = () => ({ home: world.home, env: { PATH: "/usr/bin:/bin" }, empty: "/dev/null" });
const profile = (more: Parameters<typeof sandboxSpec>[1] = {}) => seatbeltProfile(sandboxSpec(world, more), view());
const line = (text: string, beginning: string) => text.split("\n").filter((each) => each.startsWith(beginning));
const place = (text: string, part: string) => text.split("\n").findIndex((each) => each.includes(part));

test("denies what is not allowed, and has no network", () => {
  const text = profile({ network: [8080] });
  expect(text.split("\n").slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(text).not.toMatch(/network|mach-register|iokit|allow default|appleevent/);
  const depth = [...text].reduce((sum, letter) => sum + (letter === "(" ? 1 : letter === ")" ? -1 : 0), 0);
  // The regular expression has two pairs of its own.
  expect(depth).toBe(0);
});

test("hides homes and temporary folders before it shows the roots, and masks last", () => {
  const secret = path.join(world.workspace, ".env");
  const own = path.join(world.root, "own");
  for (const each of [secret, own]) writeFileSync(each, "");
  const text = profile({ masked: [secret], own: [own] });
  const denied = place(text, `(deny file-read* (subpath "/private/tmp")`);
  const shown = place(text, `(allow file-read* (subpath "${world.workspace}")`);
  const masked = place(text, `(deny file-read* file-write* (subpath "${secret}") (subpath "${own}"))`);
  expect(line(text, "(deny file-read*")[0]).toContain(`(subpath "${world.home}")`);
  expect([denied > place(text, `(allow file-read* (subpath "/"))`), shown > denied, masked > shown]).toEqual([
    true,
    true,
    true,
  ]);
  expect(masked).toBe(text.split("\n").length - 1);
});

test("lets the roots be written, and git folders at any depth to judged git only", () => {
  const text = profile();
  const writable = `(allow file-write* (subpath "${world.workspace}") (subpath "${world.temporary}"))`;
  expect(place(text, writable)).toBeGreaterThan(0);
  const [git = ""] = line(text, "(deny file-write* (regex");
  expect(place(text, git)).toBeGreaterThan(place(text, writable));
  const pattern = new RegExp(/#"(.*)"/.exec(git)?.[1] ?? "none");
  for (const file of [".git", ".git/config", "dist/a/.git", "a/b/.git/hooks/x"])
    expect(path.join(world.workspace, file)).toMatch(pattern);
  for (const file of [".gitignore", ".github/x", "src/a.git.ts"])
    expect(path.join(world.workspace, file)).not.toMatch(pattern);
  expect(profile({ gitWritable: true })).not.toContain("(deny file-write* (regex");
  expect(profile({ readOnly: true })).toContain(`(allow file-write* (subpath "${world.temporary}"))`);
  expect(profile({ readOnly: true })).not.toContain(writable);
});

test("a path cannot end the word that it stands in", () => {
  const odd = path.join(world.root, 'a") (allow default) (b\\');
  const text = profile({ masked: [odd] });
  expect(text).toContain(String.raw`a\") (allow default) (b\\`);
  expect(() => profile({ masked: ["/a\nb"] })).toThrow("cannot stand");
});
