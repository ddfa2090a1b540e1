// What of a conversation is sent: old results become a line each, in steps, and every request stays valid.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Masking } from "../../src/engine/context/masking.ts";
import { windowLimits } from "../../src/engine/context/window.ts";
import { bytesOf } from "../../src/model/contract/size.ts";
import type { Message } from "../../src/protocol/message.ts";
import { begun, grow, happening, wrongWith } from "./context-world.ts";

const limits = windowLimits(128_000, { recentResults: 16_000, restored: 50_000 });
const small = windowLimits(16_000, { recentResults: 16_000, restored: 50_000 });

const isMasked = (message: Message | undefined): boolean =>
  JSON.stringify(message ?? "").includes("[Left out to save room");

test("whatever was said, what is sent of it is valid, keeps every word of people and models, and the newest results", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
      const { messages } = grow(begun, happenings);
      const shown = new Masking(small).shown(messages);
      expect(wrongWith(shown)).toBeUndefined();
      expect(shown).toHaveLength(messages.length);
      expect(isMasked(shown.at(-1))).toBe(false);
      for (const [at, message] of messages.entries()) {
        if (message.role === "assistant") expect(shown[at]).toBe(message);
        if (message.role !== "tool") continue;
        const asked = message.content.map(({ name }) => name);
        const kept = shown[at]?.role === "tool" ? shown[at].content : [];
        for (const [index, name] of asked.entries())
          if (name === "ask") expect(JSON.stringify(kept[index])).not.toContain("[Left out to save room");
      }
    }),
    { numRuns: 150 },
  );
});

test("what is masked follows from the messages alone and stays masked, whenever one looked", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
      const growing = new Masking(small);
      let now = begun;
      let before: Message[] = [];
      for (const [number, each] of happenings.entries()) {
        now = grow(now, [each], `s${number}-`);
        const shown = growing.shown(now.messages);
        expect(shown).toEqual(new Masking(small).shown(now.messages));
        expect(growing.bytes).toBe(shown.reduce((sum, message) => sum + bytesOf(message), 0));
        for (const [at, message] of before.entries()) if (isMasked(message)) expect(isMasked(shown[at])).toBe(true);
        before = shown;
      }
    }),
    { numRuns: 60 },
  );
});

test("over 200 rounds of reading, more than nine tenths of a request are the beginning of the next one", () => {
  const masking = new Masking(limits);
  let now = begun;
  let before: Message[] = [];
  const shares: number[] = [];
  let largest = 0;
  let sent = 1;
  for (let round = 0; round < 200; round += 1) {
    const calls = [{ name: "read", size: 8_000, image: false, failed: false }];
    const answer = {
      kind: "answer" as const,
      text: "on",
      reasoning: false,
      vendor: "v",
      calls,
      finish: "calls" as const,
    };
    now = grow(now, [answer], `r${round}-`);
    const shown = masking.shown(now.messages);
    const sizes = shown.map(bytesOf);
    const same = shown.findIndex((message, at) => message !== before[at]);
    const kept = sizes.slice(0, same).reduce((sum, size) => sum + size, 0);
    if (round > 0) shares.push(kept / sent);
    sent = sizes.reduce((sum, size) => sum + size, 0);
    largest = Math.max(largest, sent);
    before = shown;
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  expect(mean).toBeGreaterThan(0.9);
  // 200 results of 8 kB; without masking 1.6 MB.
  expect(largest).toBeLessThan(300_000);
});

test("a line says what is gone and how to read it again; results of one round never fill the window", () => {
  const call = (name: string, size: number) => ({ name, size, image: true, failed: false });
  const answer = (calls: ReturnType<typeof call>[]) =>
    ({ kind: "answer", text: "on", reasoning: false, vendor: "v", calls, finish: "calls" }) as const;
  const { messages } = grow(begun, [
    answer([call("read", 120_000)]),
    answer([call("read", 120_000)]),
    answer(Array.from({ length: 4 }, () => call("shell", 120_000))),
  ]);
  const shown = new Masking(limits).shown(messages);
  expect(textsOf(shown[2])).toEqual([
    '[Left out to save room: the result of read src/read120000.ts (120 kB, 1 image). recall with call "c1-0" shows it again.]',
  ]);
  const last = shown.at(-1);
  expect(last && bytesOf(last)).toBeLessThan(limits.round * 4 * 1.05);
  expect(textsOf(last)[0]).toMatch(/^<data source="x">\n[^]*recall with call "c3-0" shows all of it[^]*<\/data>$/);
});

const textsOf = (message: Message | undefined): string[] =>
  message?.role === "tool"
    ? message.content.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    : [];
