// What belongs to others is not overwritten unasked, whenever they wrote it.
import { expect, test } from "vitest";
import { previewRewind, reviewTurn, rewind } from "../../src/app/agents/rewind.ts";
import { write } from "../scenarios/scene.ts";
import { makeWorld, type Opened } from "./world.ts";

const said = { say: "Done." };
const foreign = async (opened: Opened, turn: number) =>
  (
    await previewRewind(
      { session: opened.session, checkpoints: opened.agent.checkpoints, own: await opened.changes() },
      turn,
    )
  ).foreign;
const back = (opened: Opened, turn: number, force = false) =>
  rewind(opened, { turn, conversation: false, files: true, force });

test("what somebody changed between two turns is left alone, as is what they changed since the last one", async () => {
  await using world = await makeWorld([write("a.txt", "agent 1\n"), said, write("b.txt", "agent 2\n"), said]);
  const opened = await world.open();
  await opened.turn("one");
  world.put("a.txt", "mine, between\n");
  await opened.turn("two");
  world.put("c.txt", "mine, after\n");
  expect(await foreign(opened, 1)).toEqual(["a.txt", "c.txt"]);
  expect(await foreign(opened, 2)).toEqual(["c.txt"]);
  await back(opened, 1);
  expect([world.text("a.txt"), world.exists("b.txt"), world.text("c.txt")]).toEqual([
    "mine, between\n",
    false,
    "mine, after\n",
  ]);
  // What one rewind left alone the next one leaves alone too.
  await back(opened, 1);
  expect([world.text("a.txt"), world.text("c.txt")]).toEqual(["mine, between\n", "mine, after\n"]);
  await back(opened, 1, true);
  expect([world.exists("a.txt"), world.exists("c.txt")]).toEqual([false, false]);
});

test("what discarding a turn put back is fettle's own doing", async () => {
  await using world = await makeWorld([
    write("a.txt", "1\n"),
    said,
    write("a.txt", "2\n"),
    write("b.txt", "2\n"),
    said,
  ]);
  const opened = await world.open({ autonomy: 4 });
  await opened.turn("one");
  await opened.turn("two");
  expect(world.text("a.txt")).toBe("2\n");
  await reviewTurn(opened, 2, false);
  expect([world.text("a.txt"), world.exists("b.txt")]).toEqual(["1\n", false]);
  expect(await foreign(opened, 1)).toEqual([]);
  await back(opened, 1);
  expect(world.exists("a.txt")).toBe(false);
});

test("a session resumed without flags is never looser than it was left", async () => {
  await using world = await makeWorld(() => said);
  const first = await world.open({ autonomy: 1, ceiling: "plan" });
  await first.turn("one");
  await first.close();
  const mode = async (flags: Parameters<typeof world.open>[0]) => {
    const opened = await world.open({ session: { kind: "latest" }, ...flags });
    const { autonomy, ceiling } = opened.session.state;
    await opened.close();
    return [autonomy, ceiling];
  };
  expect(await mode({})).toEqual([1, "plan"]);
  expect(await mode({ autonomy: 5 })).toEqual([5, "plan"]);
  expect(await mode({})).toEqual([2, "plan"]);
  expect(await mode({ ceiling: "none" })).toEqual([2, "none"]);
});
