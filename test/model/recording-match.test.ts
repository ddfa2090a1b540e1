// What two runs of the same work may differ in, and how a real difference is told.
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstDifference, settled } from "../../src/model/recording/recording-match.ts";
import { cpuClock } from "../support/cpu.ts";

const tail = (text: string, role = "tool") => [{ role, text }];

test.each([
  ["line ends", "a  \r\nb\t\n\n", "a\nb"],
  ["runs of blanks", "ok    12 tests", "ok 12 tests"],
  ["temporary folders", "wrote /tmp/fettle-a1/x/sum.ts", "wrote /var/tmp/q/sum.ts"],
  ["the home folder", "in /home/ada/work/app", "in /Users/bob/src/other"],
  ["dates and times", "built 2026-01-02T03:04:05Z on Jan  2 03:04", "built 2027-11-30 23:59:59+01:00 on Nov 30 23:59"],
  ["how long it took", "passed in 12 ms, took: 0.52", "passed in 1.7 s, took: 11.03"],
  ["ports", "listening on http://localhost:40123", "listening on http://localhost:5173"],
  ["ids", "call_abc123DEF of 20261121-3f9a2c at deadbee1", "call_zzz999QQQ of 20260101-aaaaaa at 0badf00d"],
  ["marks of other keys", "key «secret:aws-key:0123456789»", "key «secret:aws-key:abcdef0123»"],
])("%s are no difference", (_what, left, right) => {
  expect(firstDifference(tail(left), tail(right))).toBeUndefined();
});

test.each([
  ["a number", "2 failing", "0 failing", 'message 1 of 1 (tool), line 1: expected "2 failing", but it is "0 failing"'],
  ["a value", "expected 1.5", "expected 2.5", 'expected "expected 1.5", but it is "expected 2.5"'],
  [
    "a file",
    "no /tmp/a/sum.ts",
    "no /tmp/b/product.ts",
    'expected "no «path»/sum.ts", but it is "no «path»/product.ts"',
  ],
  ["a host", "https://one.example/a/b", "https://two.example/a/b", "one.example"],
  ["indentation", "if x:\n  y", "if x:\n    y", "line 2"],
  ["a line less", "one\ntwo", "one", 'line 2: expected "two", but it is nothing'],
  ["a count beside a time", "at 2026-01-02T03:04:05Z, 2 of 3", "at 2026-01-02T03:04:05Z, 1 of 3", "1 of 3"],
  ["a large number", "size 1234567", "size 7654321", "size 7654321"],
  ["the kind of a secret", "«secret:jwt:0123456789»", "«secret:aws-key:0123456789»", "line 1"],
])("%s is one, and is shown", (_what, left, right, told) => {
  expect(firstDifference(tail(left), tail(right))).toContain(told);
});

test("messages that are missing, too many or of another kind are told; long lines are shown where they differ", () => {
  const [one] = tail("one");
  if (!one) throw new Error("there is one");
  expect(firstDifference([one, one], [one])).toBe('message 2 of 2 (tool) is missing; it was "one"');
  expect(firstDifference([one], [one, one])).toBe('there is one message more (tool): "one"');
  expect(firstDifference([one], tail("one", "user"))).toBe("message 1 of 1 is of user, and was of tool");
  const long = "word ".repeat(500);
  const told = firstDifference(tail(`${long}two ${long}`), tail(`${long}three ${long}`)) ?? "";
  expect(told).toMatch(/two .*three /);
  expect(told.length).toBeLessThan(400);
});

test("what is settled stays so, equal texts are equal, and any two that differ are told apart in words", () => {
  const word = fc.constantFrom(
    "took",
    "time",
    "port",
    "pid",
    "12 ms",
    "0m1.5s",
    "/a/b.ts",
    "Jan 12",
    "deadbee1",
    "«time»",
    "2",
  );
  const line = fc.oneof(
    fc.stringMatching(/^[ a-z0-9:/.\-«»]{0,30}$/),
    fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  );
  const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(settled(settled(left))).toBe(settled(left));
      expect(firstDifference(tail(left), tail(left))).toBeUndefined();
      expect(firstDifference(tail(left), tail(right)) === undefined).toBe(settled(left) === settled(right));
    }),
    { numRuns: 500 },
  );
});

test("any text is compared in a moment", () => {
  const hostile = ["a/", "1", "\n", " ", "f0", "/a.", "Jan ", "port ", "«secret:", "12:"].map(
    (piece) => `x${piece.repeat(60_000)}x`,
  );
  const spent = cpuClock();
  for (const text of hostile) settled(text);
  expect(spent()).toBeLessThan(3000);
});
