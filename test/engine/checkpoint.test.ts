// The files before a turn, taken when it first may change something.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { Checkpoints } from "../../src/engine/checkpoint.ts";
import { read, shell, write } from "../scenarios/scene.ts";
import { makeWorld, type Opened } from "./world.ts";

const said = { say: "Done." };
const types = (opened: Opened) => opened.facts().map((fact) => fact.type);

test("a turn that only reads takes none; one that changes takes one, before its first change", async () => {
  await using world = await makeWorld([read("a.txt"), said, write("a.txt", "1"), write("b.txt", "2"), said], {
    files: { "a.txt": "0" },
  });
  const opened = await world.open({ autonomy: 4 });
  await opened.turn("look");
  expect(types(opened)).not.toContain("checkpoint.made");
  await opened.turn("change");
  expect(types(opened).filter((type) => type === "checkpoint.made")).toHaveLength(1);
  expect(types(opened).indexOf("checkpoint.made")).toBeLessThan(types(opened).lastIndexOf("effect.begun") - 3);
  const [made] = opened.those("checkpoint.made");
  expect(made?.turn).toBe(2);
  const { checkpoints } = opened.agent;
  expect([checkpoints.treeBefore(1), checkpoints.treeBefore(2), checkpoints.treeBefore(3)]).toEqual([
    made?.tree,
    made?.tree,
    undefined,
  ]);
});

test("where one exists the next is begun beside the first calls, and a turn that then changes nothing has no diff", async () => {
  const look = { calls: [read("a.txt")] };
  await using world = await makeWorld([write("a.txt", "1"), said, look, said, look, write("a.txt", "2"), said]);
  const opened = await world.open({ autonomy: 4 });
  for (const prompt of ["change", "look", "look and change"]) await opened.turn(prompt);
  const of = (turn: number) => opened.those("turn.ended").find((ended) => ended.turn === turn);
  expect(of(2)).toMatchObject({ stop: { kind: "done" } });
  expect(of(2)?.tree).toBeUndefined();
  expect(of(3)?.tree).toBeDefined();
  const made = opened.those("checkpoint.made").find(({ turn }) => turn === 3);
  const firstChange = opened.those("effect.begun").find(({ turn, tool }) => turn === 3 && tool === "write");
  expect(made?.seq).toBeLessThan(firstChange?.seq ?? 0);
  expect(made?.tree).not.toBe(of(3)?.tree);
});

test("one that could not begin before its turn's end does not begin at all", async () => {
  await using world = await makeWorld([write("a.txt", "1"), said]);
  const opened = await world.open({ autonomy: 4 });
  await opened.turn("go");
  const gate = Promise.withResolvers<void>();
  const late = new Checkpoints(opened.session, async () => {
    await gate.promise;
    return opened.agent.checkpoints.snapshots();
  });
  late.anticipate(2);
  await late.close(2, true);
  gate.resolve();
  await late.snapshots();
  await new Promise((resolve) => setImmediate(resolve));
  await late.close(2, true);
  expect(opened.those("checkpoint.made").map(({ turn }) => turn)).toEqual([1]);
});

test("callers at the same time share one; the turn's diff holds what commands changed, too", async () => {
  await using world = await makeWorld([shell("echo 1 > made.txt"), said]);
  const opened = await world.open();
  await opened.turn("go");
  expect(opened.those("turn.ended")[0]?.diff?.files).toMatchObject([{ path: "made.txt", change: "created", added: 1 }]);
  const { checkpoints } = opened.agent;
  await Promise.all([checkpoints.ensure(7), checkpoints.ensure(7), checkpoints.ensure(7)]);
  expect(opened.those("checkpoint.made").filter(({ turn }) => turn === 7)).toHaveLength(1);
});

test("the person's index, branches and stash are as they were", async () => {
  await using world = await makeWorld([write("a.txt", "1"), said], { files: { "staged.txt": "s" } });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: world.folder, encoding: "utf8" });
  git("add", "staged.txt");
  const before = [git("status", "--porcelain"), git("for-each-ref"), git("stash", "list")];
  const opened = await world.open();
  await opened.turn("go");
  expect([git("status", "--porcelain").replace("?? a.txt\n", ""), git("for-each-ref"), git("stash", "list")]).toEqual(
    before,
  );
});

test("without snapshots the session goes on, and says so once", async () => {
  await using world = await makeWorld(() => said);
  const opened = await world.open();
  const checkpoints = new Checkpoints(opened.session, async () => ({ unavailable: "git is not installed" }));
  await checkpoints.ensure(1);
  await checkpoints.ensure(2);
  expect(await checkpoints.close(1, true)).toBeUndefined();
  expect(opened.those("notice.given").map(({ text }) => text)).toEqual([
    expect.stringContaining("git is not installed"),
  ]);
});

test("what is too large is told by name", async () => {
  await using world = await makeWorld([write("a.txt", "1"), said], { files: { "big.bin": "x".repeat(1_200_000) } });
  const opened = await world.open({ settings: { "checkpoint.max_mb": 1 } });
  await opened.turn("go");
  expect(opened.those("checkpoint.made")[0]?.leftOut).toMatchObject([{ path: "big.bin" }]);
  expect(opened.those("notice.given").map(({ code }) => code)).toContain("checkpoint.left-out");
});
