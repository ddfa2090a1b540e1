// Loops as a person meets them: the real program, a model that goes in circles, and one that does not.
import { expect, test } from "vitest";
import {
  call,
  makeScene,
  messagesOf,
  read,
  resultText,
  shell,
  type Step,
  stopOf,
  those,
  write,
} from "../../scenarios/scene.ts";
import { sampled } from "../../support/draws.ts";

const flip = (index: number): Step => ({
  calls: [call("edit", { path: "a.txt", old: index % 2 === 0 ? "one" : "two", new: index % 2 === 0 ? "two" : "one" })],
});

const patched = (index: number): Step => ({
  calls: [write("sum.txt", `try ${index}\n`), shell("sh check.sh")],
});

/** Fails alike whatever `sum.txt` holds, but at another line. */
const check = 'echo "sum.txt:$(wc -c < sum.txt): AssertionError: expected 3, received 2"; exit 1\n';

const circles: {
  what: string;
  steps: (index: number) => Step;
  kind: string;
  text: RegExp;
  requests: number;
  hint: string;
}[] = [
  {
    what: "the same call",
    steps: () => ({ calls: [read("a.txt")] }),
    ...{ kind: "repeated-call", text: /the same read call 5 times in a row, .*: read a\.txt\.$/, requests: 5 },
    hint: "(read a.txt)",
  },
  {
    what: "a file edited back and forth",
    steps: flip,
    ...{ kind: "patch-spiral", text: /^Stopped: a\.txt went back and forth/, requests: 5 },
    hint: "a.txt goes back and forth",
  },
  {
    what: "an error that no change touches",
    steps: patched,
    ...{ kind: "patch-spiral", text: /5 different changes to sum\.txt left the same error: .*expected 3/, requests: 6 },
    hint: "after 3 different changes to sum.txt",
  },
  {
    what: "nothing new",
    steps: (index) => ({ calls: [read(index % 2 === 0 ? "a.txt" : "b.txt")] }),
    ...{ kind: "no-progress", text: /^Stopped: 6 rounds brought nothing new, the last one with read/, requests: 8 },
    hint: "the last 3 rounds brought nothing new",
  },
  {
    what: "the same words beside the same calls",
    steps: (index) => ({
      say: "I look at the files once more.",
      calls: [read(index % 2 === 0 ? "a.txt" : "b.txt")],
    }),
    ...{ kind: "repeated-text", text: /said the same 5 times .*"I look at the files once more"\.$/, requests: 6 },
    hint: "you have said the same",
  },
];

test.concurrent.each(sampled(circles, 2))("$what: told to the model, then stopped with its name", async (circle) => {
  await using scene = await makeScene(({ index }) => circle.steps(index), {
    files: { "a.txt": "one\n", "b.txt": "other\n", "check.sh": check },
    env: { FETTLE_LIMITS_NO_PROGRESS_ROUNDS: "6" },
  });
  const { code, events } = await scene.tell(["--autonomy", "5", "go"]);
  const stop = stopOf(events);
  expect({ code, kind: stop?.kind, text: stop?.text }).toEqual({
    ...{ code: 5, kind: circle.kind, text: expect.stringMatching(circle.text) },
  });
  const last = scene.server.requests.at(-1);
  expect(JSON.stringify(last && messagesOf(last))).toContain(circle.hint);
  expect(those(events, "note.added").filter(({ text }) => text.includes(circle.hint))).toHaveLength(1);
  expect(scene.server.requests).toHaveLength(circle.requests);
});

test("polling what goes on is no loop", async () => {
  const poll = "echo x >> ticks; wc -l < ticks";
  await using scene = await makeScene(({ index }) =>
    index < 12 ? { calls: [shell(poll)] } : { say: "It has ended." },
  );
  const { code, events } = await scene.tell(["--autonomy", "5", "wait for it"]);
  expect({ code, kind: stopOf(events)?.kind }).toEqual({ code: 0, kind: "done" });
  expect(those(events, "note.added")).toEqual([]);
});

test("a kill and going on sets no count back, and repeats no hint", async () => {
  const slow = 3;
  await using scene = await makeScene(
    ({ index }) => ({
      ...{ calls: [read("a.txt")], ...(index === slow && { delayMs: 60_000 }) },
    }),
    { files: { "a.txt": "one\n" } },
  );
  const running = await scene.start(["-p", "--json", "go"]);
  await expect.poll(() => scene.server.requests.length, { timeout: 10_000, interval: 20 }).toBe(slow + 1);
  running.signal("SIGKILL");
  await running.exited;
  const { code, events } = await scene.tell(["--continue"]);
  expect({ code, kind: stopOf(events)?.kind, requests: scene.server.requests.length }).toEqual({
    ...{ code: 5, kind: "repeated-call", requests: slow + 3 },
  });
  const seen = JSON.stringify(messagesOf(scene.server.requests.at(-1) ?? ({ body: { messages: [] } } as never)));
  expect(seen.split("Progress: ")).toHaveLength(2);
});

test("a subagent is stopped as whoever leads it would be, and the lead learns why", async () => {
  await using scene = await makeScene(
    (request) => {
      const messages = messagesOf(request);
      if (JSON.stringify(messages).includes("start-1")) return { say: "It went in a circle." };
      if (JSON.stringify(messages).includes("Look around.")) return { calls: [read("a.txt")] };
      return { calls: [call("agent", { agent: "explorer", task: "Look around." }, "start-1")] };
    },
    { files: { "a.txt": "one\n" } },
  );
  const { code, events } = await scene.tell(["--autonomy", "5", "go"]);
  expect(code).toBe(0);
  expect(those(events, "agent.ended")).toMatchObject([
    { state: "failed", why: expect.stringContaining("the same read call 5 times in a row") },
  ]);
  expect(resultText(events, "start-1")).toContain("the same read call 5 times in a row");
});
