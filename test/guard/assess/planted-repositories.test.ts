import fc from "fast-check";
import { expect, test } from "vitest";
import { assess } from "../../../src/guard/assess/assess.ts";
import type { FileChange } from "../../../src/protocol/action.ts";
import { plainWorld, worldOf } from "./facts.ts";

const write = (path: string): FileChange => ({ op: "write", path, content: "x" });
const judged = (changes: FileChange[], facts = plainWorld) => assess({ kind: "change", changes }, facts);
const asks = (changes: FileChange[], facts = plainWorld) => {
  const { risk, tags } = judged(changes, facts);
  return risk === "L3" || (risk === "L2" && tags.includes("control"));
};

test("a change that makes a bare repository of a folder is asked, however its files come", () => {
  const parts = ["docs/HEAD", "docs/objects/x", "docs/refs/x"];
  expect(asks(parts.map(write))).toBe(true);
  expect(asks([...parts, "docs/config"].map(write))).toBe(true);
  // One call after the other: what is on the disk counts together with what is written.
  for (const last of parts) {
    const files = Object.fromEntries(parts.filter((part) => part !== last).map((part) => [`/w/${part}`, "x"]));
    const folders = ["/w/docs", "/w/docs/objects", "/w/docs/refs"].filter((folder) =>
      Object.keys(files).some((file) => file.startsWith(folder)),
    );
    const world = worldOf({ files, folders });
    expect(asks([write(last)], world), last).toBe(true);
    expect(asks([{ op: "move", path: "a.txt", to: last, edits: [] }], world), last).toBe(true);
  }
  const world = worldOf({
    files: { "/w/x.git/HEAD": "x" },
    folders: ["/w/x.git", "/w/x.git/objects", "/w/x.git/refs"],
  });
  for (const more of [
    "config",
    "hooks/post-checkout",
    "info/attributes",
    "config.worktree",
    "objects/ab/cd",
    "packed-refs",
  ])
    expect(asks([write(`x.git/${more}`)], world), more).toBe(true);
  expect(asks(["sub/HEAD", "sub/commondir"].map(write))).toBe(true);
});

test("what only shares a word with git's folders stays what it was", () => {
  for (const path of [
    "src/config/index.ts",
    "src/hooks/use.ts",
    "docs/refs/a.md",
    "src/objects/a.ts",
    "HEAD",
    "info/a.txt",
  ])
    expect(judged([write(path)]).tags, path).not.toContain("control");
});

test("property: no spelling of .git that some file system takes for it is written by a file tool", () => {
  const spelt = fc.constantFrom(
    ".git",
    ".GIT",
    ".Git",
    ".git.",
    ".git ",
    ".git . .",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
    ".\u200dgi\u2060t",
    ".gi\ufefft",
    "git~1",
    "GIT~2",
    ".git\u00ad",
  );
  const folder = fc.constantFrom("", "sub/", "a/b c/");
  const rest = fc.constantFrom("", "/config", "/hooks/pre-commit", "/HEAD");
  fc.assert(
    fc.property(folder, spelt, rest, (before, name, after) => {
      const path = before + name + after;
      expect(judged([write(path)]).risk, JSON.stringify(path)).toBe("L3");
      expect(judged([{ op: "move", path: "a", to: path, edits: [] }]).risk, JSON.stringify(path)).toBe("L3");
    }),
  );
});

test("property: file tools touch nothing of the kernel's folders but what says which machine this is", () => {
  const root = fc.constantFrom("/proc/self", "/proc/1", "/proc/thread-self", "/proc/self/task/1", "/proc/42");
  const below = fc.constantFrom(
    "fd/3",
    "root/etc/passwd",
    "cwd/x",
    "environ",
    "mem",
    "exe",
    "map_files/a",
    "ns/net",
    "fdinfo/0",
  );
  const other = fc.constantFrom(
    "/dev/fd/3",
    "/dev/stdin",
    "/dev/fd",
    "/dev/stdout",
    "/dev/tty",
    "/dev/pts/0",
    "/sys/kernel/uevent_helper",
    "/proc/kcore",
    "/dev/shm/x",
    "/proc/keys",
  );
  const path = fc.oneof(
    fc.tuple(root, below).map((each) => each.join("/")),
    other,
  );
  const way = fc.constantFrom(
    (each: string) => each,
    (each: string) => `../..${each}`,
    (each: string) => each.replace("/", "//"),
  );
  fc.assert(
    fc.property(path, way, (each, spell) => {
      const named = spell(each);
      expect(assess({ kind: "read", path: named }, plainWorld).risk, named).toBe("L3");
      expect(judged([write(named)]).risk, named).toBe("L3");
    }),
  );
  expect(assess({ kind: "read", path: "/proc/cpuinfo" }, plainWorld).risk).toBe("L0");
});
