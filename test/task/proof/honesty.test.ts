// Tests that prove something, and tests that only look like it: scripts.
import { describe, expect, test } from "vitest";
import { judgeTest } from "../../../src/work/task/proof/honesty/judge.ts";
import { grave, rows } from "./rows.ts";

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
    ["of a sibling only", ["unrelated"], "from shop import rates\ndef test_rate():\n    assert rates.rate() == 3\n"],
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
    ["that does not import it", ["unrelated"], "def test_add():\n    assert sum([1, 2]) == 3\n"],
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
      ["unrelated"],
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

test("languages that cannot be judged are told so", async () => {
  expect(await judgeTest({ path: "spec/sums_spec.rb", text: "", subjects: [] })).toBeUndefined();
});
