import { afterEach, expect, test } from "vitest";
import { previewChanges } from "../../src/guard/preview.ts";
import type { FileChange } from "../../src/protocol/action.ts";
import { githubToken, openWorld, type TestWorld } from "./world.ts";

let world: TestWorld;
afterEach(() => world.close());

const preview = async (...changes: FileChange[]) =>
  (
    await previewChanges(
      { id: "c", tool: "t", action: { kind: "change", changes }, origin: "model" },
      world.facts,
      world.firewall,
    )
  )?.files;

test("every kind of change is shown as it would be", async () => {
  world = openWorld();
  world.put("a.txt", "one\ntwo\n");
  world.put("old.txt", "gone\n");
  world.put("from.txt", "kept\nline\n");
  world.put("package.json", "{}\n");
  const files =
    (await preview(
      { op: "edit", path: "a.txt", edits: [{ old: "two", new: "three" }] },
      { op: "write", path: "new/b.txt", content: "b\n" },
      { op: "delete", path: "old.txt" },
      { op: "move", path: "from.txt", to: "to.txt", edits: [{ old: "line", new: "row" }] },
      { op: "write", path: "package.json", content: '{"a":1}\n' },
    )) ?? [];
  // The content that it had and the one that it will have, by their digests.
  for (const { states } of files) expect(new Set(states).size).toBe(2);
  expect(files.map(({ states: _, ...shown }) => shown)).toEqual([
    { path: "a.txt", change: "modified", added: 1, removed: 1, patch: "@@ -1,2 +1,2 @@\n one\n-two\n+three\n" },
    { path: "new/b.txt", change: "created", added: 1, removed: 0, patch: "@@ -0,0 +1 @@\n+b\n" },
    { path: "old.txt", change: "deleted", added: 0, removed: 1, patch: "@@ -1 +0,0 @@\n-gone\n" },
    {
      path: "to.txt",
      from: "from.txt",
      change: "moved",
      added: 1,
      removed: 1,
      patch: "@@ -1,2 +1,2 @@\n kept\n-line\n+row\n",
    },
    {
      path: "package.json",
      change: "modified",
      runLater: true,
      added: 1,
      removed: 1,
      patch: '@@ -1 +1 @@\n-{}\n+{"a":1}\n',
    },
  ]);
});

test("changes of one file build on each other; what does not fit or change is left out", async () => {
  world = openWorld();
  world.put("a.txt", "one\n");
  const edit = (old: string, next: string): FileChange => ({ op: "edit", path: "a.txt", edits: [{ old, new: next }] });
  expect(await preview(edit("one", "two"), edit("two", "three"))).toMatchObject([
    { path: "a.txt", patch: "@@ -1 +1 @@\n-one\n+three\n" },
  ]);
  expect(
    await preview(
      edit("missing", "x"),
      { op: "write", path: "a.txt", content: "one\n" },
      { op: "delete", path: "never" },
    ),
  ).toEqual([]);
});

test("secrets are shown as marks; binary and huge files without lines", async () => {
  world = openWorld();
  world.put("conf.ini", `TOKEN=${githubToken}\nname=a\n`);
  world.put("image.bin", new Uint8Array([0, 1, 2]));
  world.put("huge.txt", "x".repeat(5_000_001));
  const files = await preview(
    { op: "edit", path: "conf.ini", edits: [{ old: "name=a", new: "name=b" }] },
    { op: "write", path: "image.bin", content: "text" },
    { op: "write", path: "huge.txt", content: "small" },
  );
  expect(JSON.stringify(files)).not.toContain(githubToken);
  expect(files?.[0]?.patch).toContain("«secret:github:");
  expect(files?.slice(1)).toEqual([
    { path: "image.bin", change: "modified", added: 0, removed: 0, patch: "" },
    { path: "huge.txt", change: "modified", added: 0, removed: 0, patch: "" },
  ]);
});

test("a call that changes no files by itself has no preview", async () => {
  world = openWorld();
  const call = { id: "c", tool: "t", action: { kind: "read", path: "a" }, origin: "model" } as const;
  expect(await previewChanges(call, world.facts, world.firewall)).toBeUndefined();
});
