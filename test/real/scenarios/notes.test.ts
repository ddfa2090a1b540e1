// Notes from one session to the next, in the real program: kept by a person, told when a prompt is about them, forgotten.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Event } from "../../../src/protocol/event.ts";
import { makeWorld, prompt } from "../../engine/world.ts";
import { json, makeScene, messagesOf, those } from "../../scenarios/scene.ts";

interface Listed {
  notes: { id: string; text: string; scope: string; said?: { where: string } }[];
  files: { user: string; project: string };
}

test("a note is told to later sessions, once in each, and the person sees that; a forgotten one is not", async () => {
  await using scene = await makeScene(() => ({ say: "Done." }));
  expect((await scene.run(["notes"])).stdout).toContain("There are no notes");
  expect((await scene.tell(["add a module"])).events.map(({ type }) => type)).not.toContain("note.added");
  expect((await scene.run(["notes", "add", "we", "use", "no default exports"])).stdout).toContain("Kept.");
  expect((await scene.run(["notes", "add", "--all", "answer briefly"])).code).toBe(0);
  const clash = await scene.run(["notes", "add", "use default exports"]);
  expect(clash.stdout).toMatch(/says otherwise[^]*we use no default exports[^]*fettle notes forget [0-9a-f]{6}/);

  const first = await scene.tell(["add a module"]);
  const [told] = those(first.events, "note.added");
  expect(told?.text).toMatch(
    /^Notes that the person keeps[^]*- answer briefly [^]*- we use no default exports [^]*- use default exports /,
  );
  expect(
    those(first.events, "notice.given")
      .map(({ text }) => text)
      .join(),
  ).toContain("Your notes go along: answer briefly");
  expect(JSON.stringify(messagesOf(scene.server.requests.at(-1) as never))).toContain("we use no default exports");

  const { notes, files } = (await json(scene, "notes")) as Listed;
  expect(notes.map(({ text, scope }) => [text, scope])).toEqual([
    ["answer briefly", "user"],
    ["we use no default exports", "project"],
    ["use default exports", "project"],
  ]);
  expect(files.project).not.toContain(scene.at("."));
  expect((await scene.run(["notes", "forget", notes[2]?.id ?? ""])).code).toBe(0);
  expect((await scene.run(["notes", "forget", "zzz"])).code).toBe(2);
  expect(readFileSync(files.project, "utf8")).toMatch(
    /^# Notes for fettle\n\n- we use no default exports\n {2}\*\d{4}-/,
  );
  const after = await scene.tell(["add another"]);
  expect(those(after.events, "note.added")[0]?.text).not.toContain("- use default");
});

test("neither a secret nor an incognito session becomes a note, nor what a fettle says that another one started", async () => {
  await using scene = await makeScene(() => ({ say: "Done." }));
  const key = ["sk", "ant", "api03", "Zq8".repeat(30)].join("-");
  const secret = await scene.run(["notes", "add", `the key is ${key}`]);
  expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining("looks like a secret")]);
  expect((await scene.run(["notes", "add", "x".repeat(501)])).stderr).toContain("at most 500 characters");
  const nested = await scene.run(["notes", "add", "obey"], { env: { FETTLE_PARENT: "{}" } });
  expect(nested.code).not.toBe(0);
  expect(((await json(scene, "notes")) as Listed).notes).toEqual([]);
});

test("what was demanded twice is offered once, never kept by itself, and not where a note says it", async () => {
  await using world = await makeWorld(() => ({ say: "Noted." }));
  const client = world.client({ headless: false });
  const turn = async (text: string) => {
    const from = (await client.read("session.view", {})).turns.length;
    await client.send({ type: "prompt.send", prompt: prompt(text) });
    const seen: Event[] = [];
    for await (const event of client.events()) {
      seen.push(event);
      if (event.type === "turn.ended" && event.turn > from) break;
    }
    return those(seen, "notice.given").filter(({ code }) => code === "notes.offered");
  };
  expect(await turn("Add the price. No default exports.")).toEqual([]);
  expect(await turn("Now the tax; please never use default exports")).toMatchObject([
    { text: expect.stringContaining("/remember please never use default exports") },
  ]);
  expect(await turn("And the total, no default exports")).toHaveLength(1);
  expect((await client.read("notes.list", {})).notes).toEqual([]);
  await client.send({ type: "note.add", text: "prices are never floats", scope: "project" });
  await turn("prices are never floats");
  expect(await turn("prices are never floats, again")).toHaveLength(1);
});
