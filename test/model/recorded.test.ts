import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import fc from "fast-check";
import { defaultSettings } from "../../src/io/config/settings.ts";
import { resolveArm } from "../../src/model/arms.ts";
import { recordedProvider } from "../../src/model/providers/recorded.ts";
import { settled } from "../../src/model/recording/recording-match.ts";
import { recordProvider } from "../../src/model/recording/recorder.ts";
import type { Provider } from "../../src/model/contract/provider.ts";
import type { Message } from "../../src/protocol/message.ts";
import { armAt, hear, modelRequest, scrub, vendors } from "../support/arms.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { temporaryFolder } from "../support/folders.ts";

const never = new AbortController().signal;
let folder = "";
let server: ModelServer | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const written = (...lines: (object | string)[]): string => {
  const file = path.join(folder, "recording.jsonl");
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return file;
};
const prompt = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const answered = (id: string, text: string): Message[] => [
  { role: "assistant", vendor: "chat:demo", content: [{ type: "call", id, name: "shell", input: { command: "ls" } }] },
  {
    role: "tool",
    content: [{ type: "result", call: id, name: "shell", failed: false, parts: [{ type: "text", text }] }],
  },
];
const ask = (provider: Provider, messages: Message[]) =>
  hear(provider.stream(scrub(modelRequest({ messages })), never));

test("plays a hand-written recording over HTTP, in small pieces", async () => {
  const file = written(
    '{"recording":1,"title":"demo","pace":1}',
    {
      expect: ["fix the"],
      reasoning: "First the tests.",
      say: "I run the tests first.",
      calls: [{ name: "shell", input: { command: "ls" } }],
      usage: { input: 900, output: 20 },
    },
    "",
    { expect: ["1  failing"], say: "Done." },
  );
  const provider = recordedProvider("demo", file);
  const first = await ask(provider, [prompt("Please fix  the test")]);
  expect(first.parts.filter((part) => part.type === "text").length).toBeGreaterThan(1);
  expect(first.reasoning).toBe("First the tests.");
  expect(first.end).toMatchObject({ finish: "calls", usage: { input: 900, output: 20 } });
  expect(first.end.content.at(-1)).toMatchObject({ type: "call", name: "shell", input: { command: "ls" } });
  const second = await ask(provider, [prompt("Please fix  the test"), ...answered("c", "1 failing")]);
  expect([second.text, second.end.finish]).toEqual(["Done.", "stop"]);
  expect(await provider.models(never)).toEqual([{ id: "demo" }]);
  expect(provider.local).toBe(true);
});

test("a request that does not fit, and one too many, fail loudly and are not repeated", async () => {
  const file = written({ expect: ["tests pass"], say: "Done." });
  const provider = recordedProvider("demo", file);
  const misfit = ask(provider, [prompt("the tests fail")]);
  await expect(misfit).rejects.toMatchObject({ kind: "recording", retryable: false });
  await expect(misfit).rejects.toThrow(/answer 1 .*"tests pass" is not in .*the tests fail/);
  expect((await ask(provider, [prompt("all tests pass")])).text).toBe("Done.");
  await expect(ask(provider, [prompt("all tests pass")])).rejects.toThrow(/has ended after 1 answers/);
});

test("a call of a tool that is not offered does not fit", async () => {
  const provider = recordedProvider("demo", written({ calls: [{ name: "teleport", input: {} }] }));
  await expect(ask(provider, [prompt("go")])).rejects.toThrow(/does not offer the tool "teleport"/);
});

test("a recording of a model that was offered the other way to change files still fits", async () => {
  const provider = recordedProvider("demo", written({ calls: [{ name: "apply_patch", input: {} }] }));
  const edit = { name: "edit", description: "", schema: {} };
  const heard = await hear(provider.stream(scrub(modelRequest({ messages: [prompt("go")], tools: [edit] })), never));
  expect(JSON.stringify(heard)).toContain('"name":"apply_patch"');
});

test.each([
  ["{", /line 1.*not JSON/],
  ['{"say":"x","sing":"y"}', /line 1.*sing/],
  ["", /no steps/],
])("a broken recording %j is a fault that says where", async (text, message) => {
  const fault = ask(recordedProvider("demo", written(text)), [prompt("x")]);
  await expect(fault).rejects.toMatchObject({ exit: 2 });
  await expect(fault).rejects.toThrow(message);
  await expect(ask(recordedProvider("demo", path.join(folder, "none")), [prompt("x")])).rejects.toThrow(
    /There is no recording/,
  );
});

test("a recording is an arm: by configuration, and by its path", async () => {
  const file = written({ say: "hello" });
  const settings = defaultSettings();
  settings.providers["demo"] = { type: "recorded", recording: file, default_model: "scripted" };
  for (const spec of ["demo", `recorded/${file}`]) {
    const arm = await resolveArm(spec, settings, {});
    expect(arm.price).toMatchObject({ input: 0 });
    expect((await resolveArm(arm.name, settings, {})).name).toBe(arm.name);
    expect((await ask(arm.provider, [prompt("x")])).text).toBe("hello");
  }
});

test("what is recorded can be played, in another folder and at another time", async () => {
  server = await startModelServer([
    { status: 429, say: "slow down" },
    {
      reasoning: "Hm.",
      say: "Let me see.",
      calls: [{ id: "c1", name: "shell", input: { command: "ls" } }],
      usage: { input: 10, output: 5 },
    },
    [{ id: "c2", name: "shell", raw: '{"command": ' }],
    "Done.",
  ]);
  const file = path.join(folder, "taken.jsonl");
  const arm = await armAt(server.url, vendors[0]);
  const talk = (place: string, ms: number): Message[][] => {
    const start = [prompt(`Work in ${place}/src now`)];
    const first = [...start, ...answered("c1", `${place}/src/a.ts\npassed in ${ms} ms, commit 12ab34cd${ms}`)];
    return [start, start, first, [...first, ...answered("c2", `not JSON`)]];
  };
  const play = async (provider: Provider, conversation: Message[][]) => {
    const heard = [];
    for (const messages of conversation) {
      heard.push(
        await ask(provider, messages).then(
          ({ end }) => end.content.map((block) => ("name" in block ? (block.malformed ?? block.name) : block.text)),
          (error: Error & { status?: number }) => error.status,
        ),
      );
    }
    return heard;
  };
  const live = await play(
    recordProvider(arm.provider, file, (text) => text),
    talk("/tmp/fettle-a1b2c3", 12),
  );
  expect(live).toEqual([429, ["Hm.", "Let me see.", "shell"], ['{"command": '], ["Done."]]);
  expect(readFileSync(file, "utf8").split("\n").filter(Boolean)).toHaveLength(5);
  expect(await play(recordedProvider("again", file), talk("/home/u/elsewhere/fettle", 1734))).toEqual(live);
  await expect(ask(recordedProvider("other", file), [prompt("Something else")])).rejects.toThrow(
    /message 1 of 1 \(user\), line 1: expected "Work in «path» now", but it is "Something else"/,
  );
});

test("settling takes out what changes from run to run and leaves what matters", () => {
  expect(settled("/tmp/x1/src/a.ts failed after 1.52s at 2026-01-02T03:04:05Z, 2 of 3 tests, commit deadbee1")).toBe(
    "«path»/a.ts failed after «duration» at «time», 2 of 3 tests, commit «id»",
  );
  expect(settled("2 failing")).not.toBe(settled("0 failing"));
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(settled(settled(text))).toBe(settled(text));
    }),
  );
});

test("answers for what works at the same time come in any order, by what the conversation holds and how far it is", async () => {
  const file = written(
    { say: "Then the rest." },
    { for: ["plan two"], say: "Two." },
    { for: ["plan  one", "carry out"], calls: [{ name: "shell", input: { command: "ls" } }] },
    { for: ["plan one"], at: 1, expect: ["a.txt"], say: "One." },
  );
  const provider = recordedProvider("demo", file);
  const one = prompt("carry out plan one");
  const texts = [];
  for (const messages of [
    [prompt("plan two")],
    [one],
    [prompt("anything")],
    [one, ...answered("c1", "a.txt")],
    [prompt("plan two")],
  ])
    texts.push((await ask(provider, messages)).text);
  expect(texts).toEqual(["Two.", "", "Then the rest.", "One.", "Two."]);
  await expect(ask(provider, [one, ...answered("c1", "b.txt")])).rejects.toThrow(/answer 4 .*"a\.txt" is not in/);
  const other = recordedProvider("demo", written({ for: ["plan two"], say: "Two." }));
  await expect(ask(other, [prompt("plan three")])).rejects.toThrow(
    /has no answer for this after 0 answers: plan three/,
  );
});
