// Notes, seeds and threads: written, read back, and changed where they stand.
import fc from "fast-check";
import { expect, test } from "vitest";
import { capturedIn, closed, planted, promoted, threadOf } from "../../../src/work/project/facts/captured.ts";
import { draws } from "../../support/draws.ts";

const at = "2026-05-04T03:02:01.000Z";

function after(texts: ReadonlyMap<string, string>, { steps }: ReturnType<typeof planted>): Map<string, string> {
  const next = new Map(texts);
  for (const step of steps) if (step.kind === "write") next.set(step.path, step.text);
  return next;
}

test("property: whatever is typed comes back as one title, and two of the same name are two files", async () => {
  const typed = fc.string({ minLength: 1, maxLength: 60, unit: "binary" }).filter((text) => /\w/.test(text));
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      let texts = new Map<string, string>();
      texts = after(texts, threadOf(texts, text, at));
      texts = after(texts, threadOf(texts, text, at));
      texts = after(texts, planted(texts, { text, when: text }, at));
      texts = after(texts, planted(texts, { text }, at));
      const items = await capturedIn(texts);
      expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
        ...["seed dormant", "seed dormant", "thread open", "thread open"],
      ]);
      const [, second, one, other] = items;
      expect(second?.title).toMatch(/^SEED-002: /);
      expect(one?.title).toBe(other?.title);
    }),
    { numRuns: draws(100) },
  );
});

test("a note becomes a todo once, a thread is closed in its own lines, and a name that fits several is refused", async () => {
  const note = '---\r\ndate: "2026-05-04 03:02"\r\npromoted: false # not yet\r\n---\r\n\r\nTen calls a second\r\n';
  let texts = new Map([["notes/2026-05-04-ten.md", note]]);
  texts = after(texts, await promoted(texts, "ten", at));
  expect(texts.get("notes/2026-05-04-ten.md")).toBe(note.replace("promoted: false", "promoted: true"));
  expect(texts.get("todos/pending/2026-05-04-ten-calls-a-second.md")).toContain('title: "Ten calls a second"');
  await expect(promoted(texts, "ten", at)).rejects.toThrow(/is a todo already/);
  texts = after(after(texts, threadOf(texts, "Slow start", at)), threadOf(texts, "Slow end", at));
  await expect(closed(texts, "slow", at)).rejects.toThrow(/names several/);
  await expect(closed(texts, "fast", at)).rejects.toThrow(/no thread fast/);
  texts = after(texts, await closed(texts, "Slow end", "2026-06-01T00:00:00.000Z"));
  expect(texts.get("threads/slow-end.md")).toMatch(/status: resolved\ncreated: 2026-05-04\nupdated: "2026-06-01"\n/);
  expect(texts.get("threads/slow-start.md")).toContain("status: open");
});
