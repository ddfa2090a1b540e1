// Before code, and before each repair, the coder says in a few words what is wrong: streamed as events, shown by the surface. A model
// that leaves it out is asked for it beside its next round, which costs no round more.
import { expect, test } from "vitest";
import type { Event } from "../../../../src/protocol/event.ts";
import { fixed, type MissionScript, quickCrew, say, write } from "../../../work/task/crew.ts";
import { openScene, taskId, words } from "../../../work/task/tasks.ts";

const analysis = "round floors, so halves are lost; half is added before.";
const repair = "Half was added to the wrong side: 2 became 3.";
const wrong = "export const round = (value) => Math.floor(value + 1.5);\n";

/** Writes something wrong first, and mends it. */
const coder =
  (heard: string[], words: readonly [string?, string?]): MissionScript =>
  ({ said, visit, users }) => {
    heard.push(...users);
    const [file, text] = visit === 1 ? [wrong, words[0]] : [fixed, words[1]];
    return said === 0 ? { ...write("src/round.js", file), ...(text !== undefined && { say: text }) } : say("Done.");
  };

const rounds = (scene: { server: { requests: unknown[] } }): number => scene.server.requests.length;

/** Begins it, and lets it be worked on; `more`: how that is told. */
async function worked(scene: Awaited<ReturnType<typeof openScene>>, ...more: string[]) {
  const patience = { timeoutMs: 240_000 };
  const id = taskId((await scene.run(["task", words], patience)).stderr);
  return scene.run(["task", "approve", id, ...more], patience);
}

test("what is wrong is streamed before code, and asked for where it is left out before a repair, which costs no round", {
  timeout: 600_000,
}, async () => {
  const heard: string[] = [];
  await using scene = await openScene({ ...quickCrew, coder: coder(heard, [analysis]) });
  const { stdout } = await worked(scene, "--json");
  const events = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);
  const writes = events.flatMap((event, at) => (event.type === "call.ended" && event.tool === "write" ? [at] : []));
  // The tester writes first, then the coder twice.
  const [, code = -1] = writes;
  const streamed = events.slice(0, code).flatMap((event) => (event.type === "text.delta" ? [event.text] : []));
  expect([writes.length, streamed.join("")]).toEqual([3, expect.stringContaining(analysis)]);
  const asked = heard.filter((text) => text.includes("You began without a word"));
  expect(new Set(asked).size, heard.join("\n---\n")).toBe(1);

  // One that says both is shown so, and has been asked as often.
  await using shown = await openScene({ ...quickCrew, coder: coder([], [analysis, repair]) });
  const plain = (await worked(shown)).stderr.replaceAll(/\s+/g, " ");
  const places = [analysis, "fails; repair 1 of", repair].map((text) => plain.indexOf(text));
  expect(
    places.every((place, index) => place > (places[index - 1] ?? 0)),
    plain,
  ).toBe(true);
  expect([plain.includes("You began without a word"), rounds(shown)]).toEqual([false, rounds(scene)]);
});
