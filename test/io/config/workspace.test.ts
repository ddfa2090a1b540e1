import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findWorkspace } from "../../../src/io/config/workspace.ts";
import { world } from "./support.ts";

test("the workspace is the git toplevel, else the folder itself", () => {
  const { root } = world();
  const inner = path.join(root, "repo/src/deep");
  mkdirSync(inner, { recursive: true });
  expect(findWorkspace(inner, false)).toBe(realpathSync(inner));
  mkdirSync(path.join(root, "repo/.git"));
  writeFileSync(path.join(root, "repo/.git/HEAD"), "ref: refs/heads/main\n");
  expect(findWorkspace(inner, false)).toBe(realpathSync(path.join(root, "repo")));
});

test("the home folder and / are refused unless named, and swallow nothing below them", () => {
  const { root } = world();
  const home = path.join(root, "home");
  const project = path.join(home, "project");
  mkdirSync(project, { recursive: true });
  mkdirSync(path.join(home, ".git"));
  writeFileSync(path.join(home, ".git/HEAD"), "ref: refs/heads/main\n");
  expect(() => findWorkspace(home, false, home)).toThrow(/your home folder/);
  expect(() => findWorkspace("/", false, home)).toThrow(/the whole file system/);
  expect(findWorkspace(home, true, home)).toBe(realpathSync(home));
  expect(findWorkspace(project, false, home)).toBe(realpathSync(project));
  expect(() => findWorkspace(path.join(root, "none"), true, home)).toThrow(/not a folder/);
});
