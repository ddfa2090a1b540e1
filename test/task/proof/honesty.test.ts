// Tests that prove something, and tests that only look like it, in each language that fettle can judge.
import { describe, expect, test } from "vitest";
import { judgeTest } from "../../../src/work/task/proof/honesty/judge.ts";

interface Scene {
  path: string;
  subject: string;
  /** What the subject holds; absent while it is not written. */
  holds?: string;
}

const grave = async ({ path, subject, holds }: Scene, text: string, before?: string): Promise<string[]> => {
  const subjects = [{ path: subject, ...(holds !== undefined && { text: holds }) }];
  const faults = await judgeTest({ path, text, subjects, ...(before !== undefined && { before }) });
  return [...new Set((faults ?? []).filter((each) => each.grave).map(({ code }) => code))];
};

/** Each row: what it is, what is found, the test. */
type Row = [string, string[], string];
const rows = (scene: Scene, table: readonly Row[]) =>
  test.each(table)("%s", async (_, expected, text) => expect(await grave(scene, text)).toEqual(expected));

describe("python", () => {
  const scene = {
    path: "tests/test_sums.py",
    subject: "src/shop/sums.py",
    holds:
      "import requests\nfrom .rates import rate\ndef add(a, b):\n    return a + b\ndef fetch():\n    return requests.get('x')\nclass Till:\n    def total(self): return 1\n",
  };
  rows(scene, [
    ["a plain one", [], "from shop.sums import add\ndef test_add():\n    assert add(1, 2) == 3\n"],
    ["by a variable", [], "import shop.sums as s\ndef test_add():\n    got = s.add(1, 2)\n    assert got == 3\n"],
    ["relative, of a package", [], "from ..src.shop import sums\ndef test_add():\n    assert sums.add(1, 2) == 3\n"],
    [
      "of unittest, with a fixture of its own",
      [],
      "import unittest\nfrom shop.sums import Till\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.till = Till()\n    def test_total(self):\n        self.assertEqual(self.till.total(), 1)\n",
    ],
    [
      "by a fixture of pytest",
      [],
      "import pytest\nfrom shop.sums import Till\n@pytest.fixture\ndef till():\n    return Till()\ndef test_total(till):\n    assert till.total() == 1\n",
    ],
    ["through the package around it", [], "import shop\ndef test_add():\n    assert shop.add(1, 2) == 3\n"],
    [
      "of a sibling only",
      ["not-imported", "unrelated"],
      "from shop import rates\ndef test_rate():\n    assert rates.rate() == 3\n",
    ],
    [
      "that raises",
      [],
      "import pytest\nfrom shop.sums import add\ndef test_bad():\n    with pytest.raises(TypeError):\n        add(1, None)\n",
    ],
    [
      "by a helper that asserts",
      [],
      "from shop.sums import add\ndef same(a, b):\n    assert a == b\ndef test_add():\n    same(add(1, 2), 3)\n",
    ],
    [
      "of what was handed to it",
      [],
      "from shop.sums import add\ndef test_fills():\n    out = []\n    add(out, 1)\n    assert out == [1]\n",
    ],
    [
      "that mocks what the subject uses",
      [],
      "from unittest.mock import patch\nfrom shop.sums import fetch\n@patch('shop.sums.requests.get')\ndef test_fetch(get):\n    get.return_value = 4\n    assert fetch() == 4\n",
    ],
    [
      "that mocks a function the subject imports",
      [],
      "from shop import sums\ndef test_rate(monkeypatch):\n    monkeypatch.setattr(sums, 'rate', lambda: 2)\n    assert sums.add(1, 2) == 3\n",
    ],
    [
      "that patches its subject",
      ["subject-patched"],
      "from unittest.mock import patch\nfrom shop import sums\ndef test_add():\n    with patch('shop.sums.add', return_value=3):\n        assert sums.add(1, 2) == 3\n",
    ],
    [
      "that patches it as an object",
      ["subject-patched"],
      "from unittest import mock\nfrom shop import sums\n@mock.patch.object(sums, 'add', lambda a, b: 3)\ndef test_add():\n    assert sums.add(1, 2) == 3\n",
    ],
    [
      "that patches a method of it",
      ["subject-patched"],
      "from shop.sums import Till\ndef test_total(monkeypatch):\n    monkeypatch.setattr(Till, 'total', lambda self: 9)\n    assert Till().total() == 9\n",
    ],
    [
      "that assigns to it",
      ["subject-patched"],
      "import shop.sums as s\ndef test_add():\n    s.add = lambda a, b: 3\n    assert s.add(1, 2) == 3\n",
    ],
    [
      "that puts another module in its place",
      ["subject-patched"],
      "import sys\nfrom unittest.mock import MagicMock\nsys.modules['shop.sums'] = MagicMock()\nfrom shop.sums import add\ndef test_add():\n    assert add(1, 2) is not None\n",
    ],
    [
      "that defines it anew",
      ["subject-redefined"],
      "from shop.sums import add\ndef add(a, b):\n    return a + b\ndef test_add():\n    assert add(1, 2) == 3\n",
    ],
    ["that does not import it", ["not-imported", "unrelated"], "def test_add():\n    assert sum([1, 2]) == 3\n"],
    [
      "that is always true",
      ["constant"],
      "from shop.sums import add\ndef test_add():\n    add(1, 2)\n    assert True\n",
    ],
    [
      "that is always false",
      ["constant"],
      "from shop.sums import add\ndef test_add():\n    assert False, 'not there yet'\n",
    ],
    [
      "that asserts a tuple",
      ["constant"],
      "from shop.sums import add\ndef test_add():\n    assert (add(1, 2) == 4, 'sum')\n",
    ],
    [
      "that compares a thing with itself",
      ["constant"],
      "from shop.sums import add\ndef test_add():\n    got = add(1, 2)\n    assert got == got\n",
    ],
    [
      "about something else",
      ["unrelated"],
      "from shop.sums import add\ndef test_add():\n    add(1, 2)\n    wanted = 3\n    assert wanted == 3 and len('abc') == wanted\n",
    ],
    ["without an assertion", ["no-assertion"], "from shop.sums import add\ndef test_add():\n    print(add(1, 2))\n"],
    [
      "that swallows its assertion",
      ["swallowed"],
      "from shop.sums import add\ndef test_add():\n    try:\n        assert add(1, 2) == 4\n    except AssertionError:\n        pass\n",
    ],
    [
      "that is skipped",
      ["all-skipped"],
      "import pytest\nfrom shop.sums import add\n@pytest.mark.skip\ndef test_add():\n    assert add(1, 2) == 3\n",
    ],
    ["that holds no test", ["no-test"], "from shop.sums import add\ndef check():\n    assert add(1, 2) == 3\n"],
  ]);
  test("a subject that is not written yet", async () => {
    const open = { path: scene.path, subject: scene.subject };
    expect(await grave(open, "from shop.sums import add\ndef test_add():\n    assert add(1, 2) == 3\n")).toEqual([]);
    expect(
      await grave(
        open,
        "from shop.sums import add\nfrom unittest.mock import patch\ndef test_add():\n    with patch('shop.sums.add', return_value=3):\n        assert add(1, 2) == 3\n",
      ),
    ).toEqual(["subject-patched"]);
  });
  test("tests that were there before are not judged again", async () => {
    const old = "from shop.sums import add\ndef test_old():\n    assert True\n";
    expect(await grave(scene, `${old}def test_add():\n    assert add(1, 2) == 3\n`, old)).toEqual([]);
    expect(await grave(scene, `${old}def test_add():\n    assert True\n`, old)).toEqual(["constant"]);
  });
});

describe("javascript and typescript", () => {
  const scene = {
    path: "test/sums.test.ts",
    subject: "src/sums.ts",
    holds:
      "import { rate } from './rate';\nexport function add(a: number, b: number) { return a + b; }\nexport class Till { total() { return 1; } private ask() { return 2; } }\n",
  };
  const head = 'import { expect, it, vi } from "vitest";\n';
  rows(scene, [
    [
      "a plain one",
      [],
      `${head}import { add } from "../src/sums.ts";\nit("adds", () => { expect(add(1, 2)).toBe(3); });`,
    ],
    [
      "of node:test",
      [],
      'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "../src/sums.js";\ntest("adds", async (t) => { const got = await add(1, 2); assert.equal(got, 3); });',
    ],
    [
      "by require",
      [],
      'const sums = require("../src/sums");\nit("adds", () => { assert.strictEqual(sums.add(1, 2), 3); });',
    ],
    ["by an alias", [], `${head}import { add } from "@/sums";\nit("adds", () => { expect(add(1, 2)).toBe(3); });`],
    [
      "imported in the test",
      [],
      `${head}it("adds", async () => { const { add } = await import("../src/sums.ts"); expect(add(1, 2)).toBe(3); });`,
    ],
    [
      "with what beforeEach made",
      [],
      `${head}import { Till } from "../src/sums";\nlet till: Till;\nbeforeEach(() => { till = new Till(); });\nit("totals", () => { expect(till.total()).toBe(1); });`,
    ],
    [
      "that throws",
      [],
      `${head}import { add } from "../src/sums";\nit("throws", () => { expect(() => add(1, undefined as never)).toThrow(/b/); });`,
    ],
    [
      "of chai's should",
      [],
      'import "chai/register-should";\nimport { add } from "../src/sums";\nit("adds", () => { add(1, 2).should.equal(3); });',
    ],
    [
      "of a callback",
      [],
      `${head}import { add } from "../src/sums";\nit("tells", () => { const seen = []; add((x) => seen.push(x)); expect(seen).toEqual([1]); });`,
    ],
    [
      "that mocks what it uses",
      [],
      `${head}import { add } from "../src/sums";\nvi.mock("../src/rate");\nit("adds", () => { expect(add(1, 2)).toBe(3); });`,
    ],
    [
      "that spies without answering",
      [],
      `${head}import * as sums from "../src/sums";\nit("adds", () => { const spy = vi.spyOn(sums, "add"); sums.add(1, 2); expect(spy).toHaveReturnedWith(3); });`,
    ],
    [
      "that mocks its subject",
      ["subject-patched"],
      `${head}import { add } from "../src/sums";\nvi.mock("../src/sums", () => ({ add: () => 3 }));\nit("adds", () => { expect(add(1, 2)).toBe(3); });`,
    ],
    [
      "that answers for it",
      ["subject-patched"],
      `${head}import * as sums from "../src/sums";\nit("adds", () => { vi.spyOn(sums, "add").mockReturnValue(3); expect(sums.add(1, 2)).toBe(3); });`,
    ],
    [
      "that answers for a method of it",
      ["subject-patched"],
      `${head}import { Till } from "../src/sums";\nit("totals", () => { jest.spyOn(Till.prototype, "total").mockImplementation(() => 4); expect(new Till().total()).toBe(4); });`,
    ],
    [
      "that assigns to it",
      ["subject-patched"],
      'const sums = require("../src/sums");\nit("adds", () => { sums.add = () => 3; assert.equal(sums.add(1, 2), 3); });',
    ],
    [
      "that defines it anew",
      ["not-imported", "subject-redefined", "unrelated"].filter((code) => code !== "subject-redefined"),
      `${head}const add = (a, b) => a + b;\nit("adds", () => { expect(add(1, 2)).toBe(3); });`,
    ],
    [
      "that is always true",
      ["constant"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { add(1, 2); expect(true).toBe(true); });`,
    ],
    [
      "that is always false",
      ["constant"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { expect(1).toBe(2); });`,
    ],
    [
      "that expects without a matcher",
      ["no-assertion"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { expect(add(1, 2)); });`,
    ],
    [
      "that compares a thing with itself",
      ["constant"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { const got = add(1, 2); expect(got).toBe(got); });`,
    ],
    [
      "about something else",
      ["unrelated"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { add(1, 2); const x = [1].length; expect(x).toBe(1); });`,
    ],
    [
      "that swallows its assertion",
      ["swallowed"],
      `${head}import { add } from "../src/sums";\nit("adds", () => { try { expect(add(1, 2)).toBe(4); } catch (error) { console.log(error); } });`,
    ],
    [
      "that is skipped",
      ["all-skipped"],
      `${head}import { add } from "../src/sums";\nit.skip("adds", () => { expect(add(1, 2)).toBe(3); });`,
    ],
  ]);
});

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
    [
      "that does not name it",
      ["not-imported", "unrelated"],
      wrap("@Test void adds() { assertEquals(3, Math.addExact(1, 2)); }"),
    ],
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
      ["not-imported", "unrelated"],
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
  rows(scene, [
    ["a plain one", [], "use shop::add;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n"],
    ["by its full path", [], '#[test]\nfn adds() { let got = shop::add(1, 2); assert!(got == 3, "got {}", got); }\n'],
    ["by everything", [], "use shop::*;\n#[test]\nfn totals() { let till = Till; assert_eq!(till.total(), 1); }\n"],
    ["that panics", [], "use shop::add;\n#[test]\n#[should_panic]\nfn bad() { add(1, 2); }\n"],
    [
      "that hands on a result",
      [],
      "use shop::add;\n#[test]\nfn adds() -> Result<(), String> { let x = add(1, 2).parse()?; Ok(()) }\n",
    ],
    ["that is always true", ["constant"], "use shop::add;\n#[test]\nfn adds() { add(1, 2); assert!(true); }\n"],
    ["that is always false", ["constant"], "use shop::add;\n#[test]\nfn adds() { assert_eq!(1, 2); }\n"],
    [
      "about something else",
      ["unrelated"],
      "use shop::add;\n#[test]\nfn adds() { add(1, 2); let x = 3; assert_eq!(x, 3); }\n",
    ],
    ["without an assertion", ["no-assertion"], 'use shop::add;\n#[test]\nfn adds() { println!("{}", add(1, 2)); }\n'],
    [
      "with a copy of it",
      ["not-imported", "unrelated"],
      "fn add(a: i32, b: i32) -> i32 { a + b }\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n",
    ],
    [
      "that is ignored",
      ["all-skipped"],
      "use shop::add;\n#[test]\n#[ignore]\nfn adds() { assert_eq!(add(1, 2), 3); }\n",
    ],
  ]);
  test("inside of the crate", async () => {
    const inside = { path: "src/sums/tests.rs", subject: "src/sums.rs", holds: scene.holds };
    expect(await grave(inside, "use super::*;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n")).toEqual([]);
    expect(await grave(inside, "use crate::sums::add;\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n")).toEqual(
      [],
    );
    expect(await grave(inside, "#[test]\nfn adds() { assert_eq!(1 + 2, 3); }\n")).toEqual([
      "not-imported",
      "unrelated",
    ]);
  });
});

test("languages that cannot be judged are told so", async () => {
  expect(await judgeTest({ path: "spec/sums_spec.rb", text: "", subjects: [] })).toBeUndefined();
});
