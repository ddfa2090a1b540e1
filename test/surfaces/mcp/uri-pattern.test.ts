// Patterns of servers, which are strangers.
import { UriTemplate } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsPattern } from "../../../src/surfaces/mcp/uri-pattern.ts";

test.each([
  ["note://a", "note://{id}", true],
  ["note://a/b", "note://{id}", false],
  ["note://a/b", "note://{+path}", true],
  ["note://", "note://{id}", false],
  ["note://a/text", "note://{id}/text", true],
  ["note://a/b/text", "note://{id}/{part}/text", true],
  ["other://a", "note://{id}", false],
  ["search://all?q=x", "search://all{?q}", true],
  ["note://a", "note://a", true],
  ["note://ab", "note://a", false],
  ["note://a", "note://{id", false],
])("%s fits %s: %s", (uri, pattern, fits) => {
  expect(fitsPattern(uri, pattern)).toBe(fits);
});

test("property: what a pattern makes of values fits it, as the SDK's own reader says", () => {
  const literal = fc.constantFrom("x://", "/", "-a-", ".json");
  const values = fc.array(fc.stringMatching(/^[b-y]{1,4}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(values, fc.array(literal, { minLength: 5, maxLength: 5 }), (given, literals) => {
      const join = (middle: (at: number) => string) =>
        given.map((_value, at) => `${literals[at] ?? ""}${middle(at)}`).join("") + (literals[given.length] ?? "");
      const pattern = join((at) => `{v${at}}`);
      const uri = join((at) => given[at] ?? "");
      expect(new UriTemplate(pattern).match(uri)).not.toBeNull();
      expect(fitsPattern(uri, pattern)).toBe(true);
    }),
  );
});

// With an expression for it, this takes longer than the universe will last.
test("a pattern of many variables is read all the same", () => {
  const pattern = `a://${"{+v}x".repeat(200)}`;
  expect(fitsPattern(`a://${"yx".repeat(1_500)}!`, pattern)).toBe(false);
  expect(fitsPattern(`a://${"yx".repeat(1_500)}`, pattern)).toBe(true);
});
