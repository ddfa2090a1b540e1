import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../../src/base/canonical.ts";
import { fits, genesis, link } from "../../src/base/chain.ts";
import { digestOf, sha256 } from "../../src/base/digest.ts";

test("the examples of RFC 8785", () => {
  // Section 3.2.2: serialisation of primitive values.
  const primitives = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`);
  expect(canonical(primitives)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  // Section 3.2.3: sorting by UTF-16 code units.
  const sorted = JSON.parse(`{
    "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
    "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control", "\\u00f6": "Latin Small Letter O With Diaeresis"
  }`);
  expect(Object.values(JSON.parse(canonical(sorted)))).toHaveLength(7);
  expect([...canonical(sorted).matchAll(/:"([^"]*)"/g)].map((match) => match[1])).toEqual([
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
  // Appendix B: numbers.
  const numbers: [string, string][] = [
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af6", "1e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555555", "333333333.3333333"],
  ];
  for (const [bits, text] of numbers) expect(canonical(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
});

test("what JSON cannot hold is refused", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { "\udc00": 1 }, [undefined], () => 1, 1n]) {
    expect(() => canonical(value)).toThrow(TypeError);
  }
  const loop: unknown[] = [];
  loop.push(loop);
  expect(() => canonical(loop)).toThrow(TypeError);
  expect(canonical({ b: undefined, a: 1 })).toBe('{"a":1}');
});

const anyJson = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });

test("it round-trips, sorts by code units, and does not depend on the order of members", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = canonical(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonical(JSON.parse(text))).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { maxLength: 12 }), (keys) => {
      const forward = Object.fromEntries(keys.map((key) => [key, 1]));
      const backward = Object.fromEntries(keys.toReversed().map((key) => [key, 1]));
      expect(canonical(forward)).toBe(canonical(backward));
      const found = [...canonical(forward).matchAll(/"((?:[^"\\]|\\.)*)":/g)].map((match) =>
        JSON.parse(`"${match[1]}"`),
      );
      const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
      const before = (left: number[], right: number[]) => {
        const at = left.findIndex((unit, index) => unit !== right[index]);
        return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
      };
      expect(found).toEqual(keys.toSorted((left, right) => before(units(left), units(right))));
    }),
  );
});

test("digest and chain are those of the published format", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(digestOf({ b: 1, a: "ü" })).toBe(createHash("sha256").update('{"a":"ü","b":1}').digest("hex"));
  const first = link(genesis, { seq: 1, text: "one" });
  const by = createHash("sha256").update(`${genesis}{"prev":"${genesis}","seq":1,"text":"one"}`).digest("hex");
  expect(first.hash).toBe(by);
  expect(fits(first, genesis)).toBe(true);
  expect(fits({ ...first, text: "two" } as typeof first, genesis)).toBe(false);
  expect(fits(link(first.hash, { seq: 2 }), genesis)).toBe(false);
});
