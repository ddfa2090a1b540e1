// Processes of one project that are killed one after the other.

import { expect, test } from "vitest";
import { eventsOf, makeScene, prompted, resultsOf, shell, stopOf, those } from "../../scenarios/scene.ts";
test("processes that are killed one after the other in one project disturb nobody, and each can be gone on with", async () => {
  await using scene = await makeScene((request) => {
    const done = resultsOf(request).length;
    return done < 20 ? { calls: [shell(`echo ${done} >> ${prompted(request)}.txt`)] } : { say: "ok" };
  });
  const args = ["-p", "--json", "--autonomy", "5", "--max-rounds", "50"];
  const patient = await scene.start([...args, "patient"]);
  for (const after of [2, 6]) {
    const victim = await scene.start([...args, `victim-${after}`]);
    const begun = () => those(eventsOf(wholeLines(victim.stdout())), "effect.begun").length;
    await expect.poll(begun, { timeout: 15_000 }).toBeGreaterThan(after);
    victim.signal("SIGKILL");
    await victim.exited;
  }
  const { code, stdout } = await patient.exited;
  expect([code, stopOf(eventsOf(stdout))?.kind]).toEqual([0, "done"]);
  const numbers = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
  expect(scene.text("patient.txt")).toBe(numbers);
  const report = JSON.parse((await scene.run(["audit", "verify", "--json"])).stdout) as object;
  expect(report).toMatchObject({ ok: true });
  const rows = JSON.parse((await scene.run(["sessions", "list", "--json"])).stdout) as { id: string; title: string }[];
  const left = rows.find(({ title }) => title === "victim-6");
  const resumed = await scene.tell(["--autonomy", "5", "--resume", left?.id ?? ""]);
  expect(resumed.code).toBe(0);
  // What was begun and not recorded is told as unknown, once at most, and is not done again.
  const unknown = those(resumed.events, "call.ended").filter(({ result }) => result.status === "unknown");
  expect(unknown.length).toBeLessThanOrEqual(1);
  const lines = scene.text("victim-6.txt").trim().split("\n");
  expect(new Set(lines).size).toBe(lines.length);
});

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);
