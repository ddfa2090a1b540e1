import fc from "fast-check";
import { expect, test } from "vitest";
import { lateSegmenter, oneEmoji } from "../../../src/surfaces/tui/segmenters.ts";

const drawn = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  // What the shortcut takes, and what stands at its borders.
  fc.array(fc.integer({ min: 0x20, max: 0x27ff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
);

test.each(["grapheme", "word"] as const)(
  "text is split into the same parts as by Intl.Segmenter: %s",
  (granularity) => {
    const late = lateSegmenter(granularity);
    const made = new Intl.Segmenter(undefined, { granularity });
    const parts = (found: Iterable<Intl.SegmentData>) => [...found].map(({ segment, index }) => [segment, index]);
    fc.assert(
      fc.property(drawn, (text) => {
        expect(parts(late.segment(text))).toEqual(parts(made.segment(text)));
      }),
    );
  },
);

test("one emoji is known, two and none are not", () => {
  const known = ["👍", "👩‍👩‍👧", "🇩🇪", "👍👍", "a", ""].map((text) => oneEmoji.test(text));
  expect(known).toEqual([true, true, true, false, false, false]);
});
