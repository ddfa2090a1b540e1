// What several texts have in common: it gives each of them back, and one value goes wherever it stood.
import fc from "fast-check";
import { expect, test } from "vitest";
import { argumentsIn } from "../../../src/memory/routines/routine.ts";
import { inputOf, patternOf } from "../../../src/memory/routines/sightings.ts";
import type { Sighting } from "../../../src/protocol/routine.ts";
import { filled, fits, type Holes, shownTemplate, templateOf } from "../../../src/memory/routines/template.ts";

const word = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/);
const piece = fc.oneof(
  word.map((text) => ({ fixed: text })),
  fc.constantFrom(" ", "/", "-", ".", "\n", '"', "  ", "é", "`", "{{x}}", "$").map((text) => ({ fixed: text })),
  fc.nat({ max: 2 }).map((hole) => ({ hole })),
);

test("property: each text comes back with its own values, whatever stands between and in the holes", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.tuple(word, word, word), { minLength: 2, maxLength: 4 }),
      (pieces, values) => {
        const texts = values.map((of) => pieces.map((each) => ("fixed" in each ? each.fixed : of[each.hole])).join(""));
        const holes: Holes = { values: [] };
        const template = templateOf(texts, holes);
        if (!template) throw new Error("they differ in words only");
        for (const [run, text] of texts.entries())
          expect(
            filled(
              template,
              holes.values.map((each) => each[run] ?? ""),
            ),
          ).toBe(text);
      },
    ),
  );
});

test.each([
  [["npm version 1.2.0", "npm version 1.10.0", "npm version 2.0.0"], "npm version {{a}}"],
  [["src/plum.ts", "src/pear.ts", "src/fig.ts"], "src/{{a}}.ts"],
  [["git tag -m 'one thing' v1", "git tag -m 'two more things' v1"], "git tag -m '{{a}}' v1"],
  [["class Plum: plum", "class Pear: pear"], "class {{a}}: {{a}}"],
])("%j", (texts, shown) => {
  const template = templateOf(texts, { values: [] });
  expect(template && shownTemplate(template, ["a", "b"])).toBe(shown);
});

test("a name in another case is the same parameter, and is filled in its case", () => {
  const runOf = (name: string, at: number): Sighting => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const content = `export class ${title} {}\nexport const ${name} = new ${title}();\n`;
    const input = { path: `src/${name}.ts`, content };
    return { session: "s", turn: at, at, steps: [{ tool: "write", input }], check: "npm test" };
  };
  const pattern = patternOf(["plum", "pear", "fig"].map(runOf));
  expect(pattern?.values).toEqual([["plum", "pear", "fig"]]);
  expect(pattern && inputOf(pattern.steps[0]!.input, ["quince"])).toEqual(runOf("quince", 0).steps[0]?.input);
});

test("words are taken in order or by name; what a shell reads as more is refused", () => {
  const routine = { name: "tag", parameters: ["version", "text"], values: [["1.0.0"], ["one thing"]] };
  expect(argumentsIn('1.1.0 "more things"', routine)).toEqual({ values: ["1.1.0", "more things"] });
  expect(argumentsIn("text='a b' version=2.0.0", routine)).toEqual({ values: ["2.0.0", "a b"] });
  for (const text of ["1.1.0", "", "1.1.0 a b", "1.1.0 $(id)", "'1 1' a", "--force a", '1.1.0 "a`id`"', "1.1.0 'a\nb'"])
    expect(argumentsIn(text, routine), text).toHaveProperty("problem");
});

test("property: a template fits what it is filled with, and what it fits has its words in their order", () => {
  const part = fc.oneof(
    fc.stringMatching(/^[ab ]{1,3}$/),
    fc.nat({ max: 2 }).map((parameter) => ({ parameter, form: "as is" as const })),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.stringMatching(/^[ab ]{1,4}$/), { minLength: 3, maxLength: 3 }),
      fc.stringMatching(/^[ab ]{0,12}$/),
      (parts, values, text) => {
        expect(fits(parts, filled(parts, values))).toBe(true);
        const pattern = parts.map((each) => (typeof each === "string" ? each : "[ab ]+")).join("");
        expect(fits(parts, text)).toBe(new RegExp(`^${pattern}$`).test(text));
      },
    ),
    { numRuns: 2000 },
  );
});
