import fc from "fast-check";
import { expect, test } from "vitest";
import { signals, sourceOf } from "../../src/guard/injection/signals.ts";
import { anchorsOf } from "./injection/anchors.ts";

test("names words that a pattern cannot match without", () => {
  expect(anchorsOf("\\b(?:ignor(?:e|ing)|forget) (?:all )?your")).toEqual([
    ...["ignore your", "ignore all your", "ignoring your", "ignoring all your", "forget your", "forget all your"],
  ]);
  expect(anchorsOf("send [a-z]+ to \\$\\d+")).toEqual(["send "]);
  expect(anchorsOf("(?:a|bc)(?:\\w+ ){1,3}end$")).toEqual(["end"]);
  for (const open of ["\\w+", "(?:key)?", "a|secret", "(?:x{0,2})y"]) expect(anchorsOf(open)).toBeUndefined();
});

test("the words that are looked for before a signal's pattern is built are those of its source", async () => {
  const lines = signals.flatMap((signal) => {
    const words = anchorsOf(sourceOf(signal));
    return words ? [[signal.name, ...words].join("|")] : [];
  });
  expect(lines.length).toBeGreaterThan(signals.length / 2);
  const head =
    "// Made by test/guard/anchors.test.ts (vitest run -u): a signal, and words that it cannot be given without.";
  const file = `${head}\nexport const anchors = \`\n${lines.join("\n")}\n\`;\n`;
  await expect(file).toMatchFileSnapshot("../../src/guard/injection/anchors.ts");
});

/** A pattern, and a text that it matches. */
type Example = readonly [source: string, text: string];

const letters = fc.constantFrom<Example>(
  ["ab", "ab"],
  ["cd e", "cd e"],
  ["x", "x"],
  ["[xy]", "y"],
  ["\\w", "q"],
  ["\\.", "."],
);
const times = fc.constantFrom<readonly [string, number]>(
  ...([
    ["?", 0],
    ["?", 1],
    ["*", 0],
    ["*", 2],
    ["+", 1],
    ["+", 3],
    ["{0,2}", 0],
    ["{1,3}", 2],
    ["{2}", 2],
  ] as const),
);
const { example } = fc.letrec<{ example: Example }>((tie) => ({
  example: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    letters,
    fc
      .array(tie("example"), { minLength: 2, maxLength: 4 })
      .map((each): Example => [each.map(([source]) => source).join(""), each.map(([, text]) => text).join("")]),
    fc.tuple(fc.array(tie("example"), { minLength: 2, maxLength: 3 }), fc.nat(2)).map(([each, taken]): Example => {
      const [, text = ""] = each[taken % each.length] ?? [];
      return [`(?:${each.map(([source]) => source).join("|")})`, text];
    }),
    fc.tuple(tie("example"), times).map(([[source, text], [how, often]]): Example => {
      return [`(?:${source})${how}`, text.repeat(often)];
    }),
  ),
}));

test("property: whatever a pattern matches holds one of its anchors", () => {
  fc.assert(
    fc.property(example, ([source, text]) => {
      expect(new RegExp(`^(?:${source})$`).test(text)).toBe(true);
      const anchors = anchorsOf(source);
      if (anchors)
        expect(
          anchors.some((word) => text.includes(word)),
          `${source} ${text} ${anchors.join()}`,
        ).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
