// Tests that prove something, and tests that only look like it: compiled languages.
import { describe, expect, test } from "vitest";
import { grave, type Row, rows } from "./rows.ts";
import honestyRows from "./honesty.json" with { type: "json" };

describe("java", () => {
  const scene = {
    path: "src/test/java/shop/SumsTest.java",
    subject: "src/main/java/shop/Sums.java",
    holds: "package shop;\npublic class Sums { public int add(int a, int b) { return a + b; } }\n",
  };
  const wrap = (body: string, head = "package shop;") =>
    `${head}\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\nclass SumsTest {\n${body}\n}\n`;
  rows(scene, [
    ["a plain one", [], wrap("@Test void adds() { assertEquals(3, new Sums().add(1, 2)); }")],
    [
      "from another package",
      [],
      wrap(
        "@Test void adds() { Sums sums = new Sums(); int got = sums.add(1, 2); assertEquals(3, got); }",
        "package other;\nimport shop.Sums;",
      ),
    ],
    [
      "with a field",
      [],
      wrap("private final Sums sums = new Sums();\n@Test void adds() { assertEquals(3, sums.add(1, 2)); }"),
    ],
    ["of a chain", [], wrap("@Test void adds() { assertThat(new Sums().add(1, 2)).isEqualTo(3); }")],
    [
      "that throws",
      [],
      wrap("@Test void bad() { assertThrows(ArithmeticException.class, () -> new Sums().add(1, 2)); }"),
    ],
    [
      "that fails when nothing is thrown",
      [],
      wrap("@Test void bad() { try { new Sums().add(1, 2); fail(); } catch (ArithmeticException expected) { } }"),
    ],
    [
      "that mocks what it uses",
      [],
      wrap(
        "@Test void adds() { Rate rate = mock(Rate.class); Sums sums = new Sums(rate); sums.add(1, 2); verify(rate).ask(); }",
      ),
    ],
    [
      "that mocks its subject",
      ["subject-patched"],
      wrap(
        "@Test void adds() { Sums sums = mock(Sums.class); when(sums.add(1, 2)).thenReturn(3); assertEquals(3, sums.add(1, 2)); }",
      ),
    ],
    [
      "that has it mocked",
      ["subject-patched"],
      wrap("@Mock Sums sums;\n@Test void adds() { assertEquals(3, sums.add(1, 2)); }"),
    ],
    [
      "that overrides it",
      ["subject-patched"],
      wrap(
        "@Test void adds() { Sums sums = new Sums() { @Override public int add(int a, int b) { return 3; } }; assertEquals(3, sums.add(1, 2)); }",
      ),
    ],
    ["that is always true", ["constant"], wrap("@Test void adds() { new Sums().add(1, 2); assertTrue(true); }")],
    [
      "that compares a thing with itself",
      ["constant"],
      wrap("@Test void adds() { int got = new Sums().add(1, 2); assertEquals(got, got); }"),
    ],
    [
      "about something else",
      ["unrelated"],
      wrap("@Test void adds() { new Sums().add(1, 2); int x = 3; assertEquals(3, x); }"),
    ],
    ["without an assertion", ["no-assertion"], wrap("@Test void adds() { System.out.println(new Sums().add(1, 2)); }")],
    ["that does not name it", ["unrelated"], wrap("@Test void adds() { assertEquals(3, Math.addExact(1, 2)); }")],
    [
      "that swallows its assertion",
      ["swallowed"],
      wrap("@Test void adds() { try { assertEquals(4, new Sums().add(1, 2)); } catch (Throwable e) { } }"),
    ],
    [
      "that is off",
      ["all-skipped"],
      wrap('@Disabled("later") @Test void adds() { assertEquals(3, new Sums().add(1, 2)); }'),
    ],
  ]);
});

describe("go", () => {
  const scene = {
    path: "sums/sums_test.go",
    subject: "sums/sums.go",
    holds:
      "package sums\nfunc Add(a, b int) int { return a + b }\ntype Till struct{}\nfunc (t Till) Total() int { return 1 }\n",
  };
  const inner = (body: string) => `package sums\nimport "testing"\n${body}\n`;
  rows(scene, [
    [
      "a plain one",
      [],
      inner('func TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}'),
    ],
    [
      "by a table",
      [],
      inner(
        'func TestAdd(t *testing.T) {\n\tcases := []struct{ a, want int }{{1, 2}}\n\tfor _, c := range cases {\n\t\tt.Run("x", func(t *testing.T) {\n\t\t\tgot := Add(c.a, 1)\n\t\t\tif got != c.want {\n\t\t\t\tt.Fatal(got)\n\t\t\t}\n\t\t})\n\t}\n}',
      ),
    ],
    [
      "of testify",
      [],
      'package sums_test\nimport (\n\t"testing"\n\t"example.com/shop/sums"\n\t"github.com/stretchr/testify/assert"\n)\nfunc TestAdd(t *testing.T) {\n\tassert.Equal(t, 3, sums.Add(1, 2))\n}\n',
    ],
    [
      "that fails whatever happens",
      ["constant"],
      inner('func TestAdd(t *testing.T) {\n\tAdd(1, 2)\n\tt.Fatal("not there yet")\n}'),
    ],
    [
      "about something else",
      ["unrelated"],
      inner('func TestAdd(t *testing.T) {\n\tAdd(1, 2)\n\tx := 3\n\tif x != 3 {\n\t\tt.Error("x")\n\t}\n}'),
    ],
    ["without an assertion", ["no-assertion"], inner("func TestAdd(t *testing.T) {\n\tt.Log(Add(1, 2))\n}")],
    [
      "of another package that does not import it",
      ["unrelated"],
      'package sums_test\nimport "testing"\nfunc add(a, b int) int { return a + b }\nfunc TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Error("x")\n\t}\n}\n',
    ],
    [
      "that patches it",
      ["subject-patched"],
      inner(
        'func TestAdd(t *testing.T) {\n\tmonkey.Patch(Add, func(a, b int) int { return 3 })\n\tif Add(1, 2) != 3 {\n\t\tt.Error("x")\n\t}\n}',
      ),
    ],
    [
      "that is skipped",
      ["all-skipped"],
      inner('func TestAdd(t *testing.T) {\n\tt.Skip("later")\n\tif Add(1, 2) != 3 {\n\t\tt.Error("x")\n\t}\n}'),
    ],
  ]);
});

describe("rust", () => {
  const scene = {
    path: "tests/sums.rs",
    subject: "src/lib.rs",
    holds:
      "pub fn add(a: i32, b: i32) -> i32 { a + b }\npub struct Till;\nimpl Till { pub fn total(&self) -> i32 { 1 } }\n",
  };
  rows(scene, honestyRows.rust as unknown as Row[]);
  test("inside of the crate", async () => {
    const inside = { path: "src/sums/tests.rs", subject: "src/sums.rs", holds: scene.holds };
    expect(await grave(inside, "use super::*;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n")).toEqual([]);
    expect(await grave(inside, "use crate::sums::add;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n")).toEqual(
      [],
    );
    expect(await grave(inside, "#[test]\nfn adds() { assert_eq!(1 + 2, 3); }\n")).toEqual(["unrelated"]);
  });
});
