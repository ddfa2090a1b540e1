import type { SmallRepository } from "./repository.ts";
import { missingPackage, works } from "./tools.ts";

const without = (text: string, ...command: [string, ...string[]]): string | undefined =>
  works(...command) ? undefined : text;

const typescript: SmallRepository = {
  name: "TypeScript, aliases, vitest",
  layout: "src/, tsconfig with paths, vitest.config.ts",
  lacks: () => missingPackage("vitest"),
  installed: ["vitest"],
  files: {
    "package.json":
      '{\n  "name": "cart",\n  "type": "module",\n  "scripts": { "test": "vitest run", "dev": "vite" }\n}\n',
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext", "paths": { "@/*": ["./src/*"] } } }\n',
    "vitest.config.ts":
      'import path from "node:path";\nimport { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  resolve: { alias: { "@": path.resolve(import.meta.dirname, "src") } },\n  test: { include: ["tests/**/*.spec.ts"] },\n});\n',
    "src/money.ts":
      "export const cents = (amount: number): number => Math.round(amount * 100);\n\nexport const shown = (total: number): string => `${(total / 100).toFixed(2)} €`;\n",
    "src/cart.ts":
      'import { cents } from "@/money";\n\nexport interface Line {\n  price: number;\n  count: number;\n}\n\nexport const total = (lines: readonly Line[]): number =>\n  lines.reduce((sum, { price, count }) => sum + cents(price) * count, 0);\n',
    "tests/cart.spec.ts":
      'import { expect, test } from "vitest";\nimport { total } from "@/cart";\n\ntest("sums lines", () => expect(total([{ price: 1.5, count: 2 }])).toBe(300));\n',
    ".gitignore": "node_modules\n",
  },
  request: "add a discount: `total(lines, { percent: 10 })` takes 10 % off, rounded to whole cents",
  stack: "typescript",
  test: {
    create: true,
    path: "tests/discount.spec.ts",
    text: 'import { expect, test } from "vitest";\nimport { total } from "@/cart";\n\ntest("takes ten percent off", () => expect(total([{ price: 9.99, count: 1 }], { percent: 10 })).toBe(899));\n',
  },
  subject: "src/cart.ts",
  change: {
    old: "export const total = (lines: readonly Line[]): number =>\n  lines.reduce((sum, { price, count }) => sum + cents(price) * count, 0);",
    new: "const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { price, count }) => sum + cents(price) * count, 0);\n\nexport const total = (lines: readonly Line[], { percent = 0 }: { percent?: number } = {}): number =>\n  Math.round((sumOf(lines) * (100 - percent)) / 100);",
  },
  testCommand: "npx vitest run",
  one: "npx vitest run tests/discount.spec.ts",
};

const mocha: SmallRepository = {
  name: "JavaScript, mocha under nyc",
  layout: "CommonJS, lib/, .mocharc.json, nyc in the script",
  lacks: () => missingPackage("mocha", "nyc"),
  installed: ["mocha", "nyc"],
  files: {
    "package.json":
      '{\n  "name": "slug",\n  "version": "1.0.0",\n  "main": "lib/slug.js",\n  "scripts": { "test": "nyc --reporter=text-summary mocha", "lint": "eslint lib" },\n  "devDependencies": { "mocha": "^10.0.0", "nyc": "^17.0.0", "eslint": "^9.0.0" }\n}\n',
    ".mocharc.json": '{ "recursive": true, "timeout": 5000 }\n',
    "lib/slug.js":
      '"use strict";\n\nmodule.exports = function slug(text) {\n  return text.trim().toLowerCase().replace(/\\s+/g, "-");\n};\n',
    "test/slug.js":
      'const assert = require("assert");\nconst slug = require("../lib/slug");\n\ndescribe("slug", () => {\n  it("joins words", () => assert.strictEqual(slug(" A b "), "a-b"));\n});\n',
    ".gitignore": "node_modules\n.nyc_output\ncoverage\n",
  },
  request: "fix slug: signs such as ! and ? must not stay, `slug('Hey, you!')` is `hey-you`",
  stack: "javascript",
  test: {
    create: true,
    path: "test/signs.js",
    first:
      'const { expect } = require("chai");\nconst slug = require("../lib/slug");\n\ndescribe("signs", () => {\n  it("go", () => expect(slug("Hey, you!")).to.equal("hey-you"));\n});\n',
    text: 'const assert = require("assert");\nconst slug = require("../lib/slug");\n\ndescribe("signs", () => {\n  it("do not stay", () => assert.strictEqual(slug("Hey, you!"), "hey-you"));\n});\n',
  },
  subject: "lib/slug.js",
  change: { old: "text.trim()", new: 'text.replace(/[^\\w\\s-]/g, "").trim()' },
  testCommand: "npm test",
  lint: "npm run lint",
  one: "npx mocha test/signs.js",
};

const jest: SmallRepository = {
  name: "JavaScript, jest with a configuration",
  layout: "CommonJS, src/, jest.config.js with roots and a setup file, tests below tests/",
  lacks: () => missingPackage("jest"),
  installed: ["jest"],
  files: {
    "package.json":
      '{\n  "name": "rates",\n  "version": "1.0.0",\n  "scripts": { "test": "jest --ci" },\n  "devDependencies": { "jest": "^29.0.0" }\n}\n',
    "jest.config.js":
      'module.exports = {\n  roots: ["<rootDir>/tests"],\n  setupFilesAfterEnv: ["<rootDir>/tests/setup.js"],\n  moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1" },\n};\n',
    "tests/setup.js": "global.currency = 'EUR';\n",
    "src/rates.js": 'exports.shown = (cents) => `${(cents / 100).toFixed(2)} ${global.currency ?? "USD"}`;\n',
    "tests/rates.test.js":
      'const { shown } = require("@/rates");\n\ndescribe("shown", () => {\n  test("has two digits", () => expect(shown(150)).toBe("1.50 EUR"));\n});\n',
    ".gitignore": "node_modules\n",
  },
  request: "fix shown: a negative amount stands in brackets, `shown(-150)` is `(1.50 EUR)`",
  stack: "javascript",
  test: {
    create: true,
    path: "tests/negative.test.js",
    first: 'import { shown } from "@/rates";\n\ntest("negative", () => expect(shown(-150)).toBe("(1.50 EUR)"));\n',
    text: 'const { shown } = require("@/rates");\n\ntest("a negative amount stands in brackets", () => expect(shown(-150)).toBe("(1.50 EUR)"));\n',
  },
  subject: "src/rates.js",
  change: {
    old: "exports.shown = (cents) => ",
    new: "exports.shown = (cents) => (cents < 0 ? `(${exports.shown(-cents)})` : plain(cents));\n\nconst plain = (cents) => ",
  },
  testCommand: "npx jest",
  one: "npx jest tests/negative.test.js",
};

const nodeTests: SmallRepository = {
  name: "JavaScript, node --test, helpers among the tests",
  layout: "ESM, lib/, tests and their helpers below tests/, no package",
  lacks: () => undefined,
  files: {
    "package.json":
      '{\n  "name": "queue",\n  "type": "module",\n  "scripts": { "test": "node --test tests/*.js" }\n}\n',
    "lib/queue.js":
      "export class Queue {\n  #all = [];\n  add(item) {\n    this.#all.push(item);\n  }\n  take() {\n    return this.#all.pop();\n  }\n  get size() {\n    return this.#all.length;\n  }\n}\n",
    "tests/make.js":
      'import { Queue } from "../lib/queue.js";\n\nexport function make(...items) {\n  const queue = new Queue();\n  for (const item of items) queue.add(item);\n  return queue;\n}\n',
    "tests/size.js":
      'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { make } from "./make.js";\n\ntest("counts what is in it", () => assert.equal(make(1, 2).size, 2));\n',
    ".gitignore": "node_modules\n",
  },
  request: "fix the queue: take() must give the oldest item first, not the newest",
  stack: "javascript",
  test: {
    create: true,
    path: "tests/order.js",
    text: 'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { makeNamed } from "./make.js";\n\ntest("the oldest is first", () => assert.equal(makeNamed("a", "b").take(), "a"));\n',
  },
  more: [
    {
      path: "tests/make.js",
      by: "verifier",
      intent: "a helper that names what it puts in",
      text: 'import { Queue } from "../lib/queue.js";\n\nexport function make(...items) {\n  const queue = new Queue();\n  for (const item of items) queue.add(item);\n  return queue;\n}\n\nexport const makeNamed = (...names) => make(...names.map(String));\n',
    },
  ],
  subject: "lib/queue.js",
  change: { old: "this.#all.pop()", new: "this.#all.shift()" },
  testCommand: "npm test",
  one: "node --test tests/order.js",
};

const pytest = () => without("pytest is not installed", "/usr/bin/python3", "-m", "pytest", "--version");

const pythonSource: SmallRepository = {
  name: "Python, src, pytest, ruff absent",
  layout: "src/, pyproject.toml with ruff, nothing installed",
  lacks: pytest,
  files: {
    "pyproject.toml":
      '[project]\nname = "ledger"\nversion = "0.1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n\n[tool.ruff]\nline-length = 100\n',
    "src/ledger/__init__.py": 'from .entries import balance\n\n__all__ = ["balance"]\n',
    "src/ledger/entries.py":
      'def balance(entries):\n    total = 0\n    for entry in entries:\n        total += entry["amount"]\n    return total\n',
    "tests/conftest.py":
      'import pytest\n\n\n@pytest.fixture\ndef entries():\n    return [{"amount": 5}, {"amount": -2}]\n',
    "tests/test_balance.py":
      "from ledger import balance\n\n\ndef test_sum(entries):\n    assert balance(entries) == 3\n",
    ".gitignore": "__pycache__/\n",
  },
  request: "voided entries must not count in the balance: an entry with `void: True` is left out",
  stack: "python",
  test: {
    create: true,
    path: "tests/test_void.py",
    text: "from ledger import balance\n\n\ndef test_voided_entries_do_not_count(voided):\n    assert balance(voided) == 5\n",
  },
  more: [
    {
      path: "tests/conftest.py",
      by: "verifier",
      intent: "a fixture with a voided entry",
      text: 'import pytest\n\n\n@pytest.fixture\ndef entries():\n    return [{"amount": 5}, {"amount": -2}]\n\n\n@pytest.fixture\ndef voided():\n    return [{"amount": 5}, {"amount": -2, "void": True}]\n',
    },
  ],
  subject: "src/ledger/entries.py",
  change: {
    old: '        total += entry["amount"]',
    new: '        if not entry.get("void"):\n            total += entry["amount"]',
  },
  testCommand: "pytest -q",
  lint: "ruff check .",
  one: "python3 -m pytest -q tests/test_void.py",
};

const tox: SmallRepository = {
  name: "Python, tox",
  layout: "flat package, tox.ini with variables and flake8",
  lacks: pytest,
  files: {
    "tox.ini":
      "[tox]\nenvlist = py3, lint\n\n[testenv]\ndeps = pytest\nsetenv =\n    UNITS = metric\ncommands =\n    pytest {posargs:tests}\n\n[testenv:lint]\ndeps = flake8\ncommands = flake8 weather\n",
    "setup.py": 'from setuptools import setup\n\nsetup(name="weather", version="1", packages=["weather"])\n',
    "weather/__init__.py": "",
    "weather/report.py":
      'import os\n\n\ndef report(celsius):\n    if os.environ["UNITS"] == "metric":\n        return f"{celsius} °C"\n    return f"{celsius * 9 / 5 + 32:.0f} °F"\n',
    "tests/__init__.py": "",
    "tests/test_report.py":
      'from weather.report import report\n\n\ndef test_metric():\n    assert report(20) == "20 °C"\n',
    ".gitignore": "__pycache__/\n.tox/\n*.egg-info/\n",
  },
  request: "fix the report: temperatures are rounded to whole degrees, `report(20.6)` is `21 °C`",
  stack: "python",
  test: {
    create: true,
    path: "tests/test_rounding.py",
    text: 'from weather.report import report\n\n\ndef test_whole_degrees():\n    assert report(20.6) == "21 °C"\n',
  },
  subject: "weather/report.py",
  change: { old: 'f"{celsius} °C"', new: 'f"{round(celsius)} °C"' },
  testCommand: "pytest tests",
  one: "UNITS=metric python3 -m pytest -q tests/test_rounding.py",
};

/** The program itself makes its environments; flake8 cannot be had without a network, so that environment stays out. */
const toxInstalled: SmallRepository = {
  ...tox,
  name: "Python, tox itself",
  layout: "flat package, tox makes the environment, which sees the machine's packages",
  lacks: () => pytest() ?? without("tox is not installed", "tox", "--version"),
  files: {
    ...tox.files,
    "tox.ini":
      "[tox]\nenvlist = py3, lint\nskipsdist = true\n\n[testenv]\nsitepackages = true\nsetenv =\n    UNITS = metric\n    PYTHONPATH = {toxinidir}\ncommands =\n    python -m pytest {posargs:tests}\n\n[testenv:lint]\ndeps = flake8\ncommands = flake8 weather\n",
  },
  testCommand: "tox -e py3",
  one: "tox -e py3 -- tests/test_rounding.py",
};

const rust: SmallRepository = {
  name: "Rust, workspace",
  layout: "two crates, one of which uses the other",
  lacks: () => without("cargo is not installed", "cargo"),
  files: {
    "Cargo.toml": '[workspace]\nmembers = ["core", "cli"]\nresolver = "2"\n',
    "Cargo.lock":
      'version = 3\n\n[[package]]\nname = "cli"\nversion = "0.1.0"\ndependencies = [\n "core-lib",\n]\n\n[[package]]\nname = "core-lib"\nversion = "0.1.0"\n',
    "core/Cargo.toml": '[package]\nname = "core-lib"\nversion = "0.1.0"\nedition = "2021"\n',
    "core/src/lib.rs":
      "pub fn wrap(text: &str, width: usize) -> Vec<String> {\n    text.as_bytes().chunks(width).map(|part| String::from_utf8_lossy(part).into_owned()).collect()\n}\n",
    "core/tests/wrap.rs": '#[test]\nfn cuts() {\n    assert_eq!(core_lib::wrap("abcd", 2), ["ab", "cd"]);\n}\n',
    "cli/Cargo.toml":
      '[package]\nname = "cli"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ncore-lib = { path = "../core" }\n',
    "cli/src/lib.rs":
      'pub fn first(text: &str) -> String {\n    core_lib::wrap(text, 3).swap_remove(0)\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn begins() {\n        assert_eq!(super::first("abcdef"), "abc");\n    }\n}\n',
    ".gitignore": "target/\n",
  },
  request: "fix wrap: it must not cut characters of more than one byte in two",
  stack: "rust",
  test: {
    create: true,
    path: "core/tests/characters.rs",
    text: '#[test]\nfn characters_stay_whole() {\n    assert_eq!(core_lib::wrap("äöü", 2), ["äö", "ü"]);\n}\n',
  },
  subject: "core/src/lib.rs",
  change: {
    old: "    text.as_bytes().chunks(width).map(|part| String::from_utf8_lossy(part).into_owned()).collect()",
    new: "    let characters: Vec<char> = text.chars().collect();\n    characters.chunks(width).map(|part| part.iter().collect()).collect()",
  },
  testCommand: "cargo test --workspace",
  one: "cargo test -p core-lib --test characters",
};

const go: SmallRepository = {
  name: "Go, table tests",
  layout: "one module, internal package, table-driven tests",
  lacks: () => without("go is not installed", "go", "version"),
  files: {
    "go.mod": "module example.org/span\n\ngo 1.19\n",
    "internal/span/span.go":
      'package span\n\nimport "fmt"\n\n// Format shows seconds as minutes and seconds.\nfunc Format(seconds int) string {\n\treturn fmt.Sprintf("%d:%d", seconds/60, seconds%60)\n}\n',
    "internal/span/span_test.go":
      'package span\n\nimport "testing"\n\nfunc TestFormat(t *testing.T) {\n\tfor _, one := range []struct {\n\t\tname    string\n\t\tseconds int\n\t\twant    string\n\t}{\n\t\t{"minutes", 75, "1:15"},\n\t\t{"none", 10, "0:10"},\n\t} {\n\t\tt.Run(one.name, func(t *testing.T) {\n\t\t\tif got := Format(one.seconds); got != one.want {\n\t\t\t\tt.Errorf("Format(%d) = %q, want %q", one.seconds, got, one.want)\n\t\t\t}\n\t\t})\n\t}\n}\n',
    ".gitignore": "bin/\n",
  },
  request: "fix Format: seconds have two digits, `Format(65)` is `1:05`",
  stack: "go",
  test: {
    create: true,
    path: "internal/span/digits_test.go",
    text: 'package span\n\nimport "testing"\n\nfunc TestDigits(t *testing.T) {\n\tif got := Format(65); got != "1:05" {\n\t\tt.Errorf("Format(65) = %q, want 1:05", got)\n\t}\n}\n',
  },
  subject: "internal/span/span.go",
  change: { old: '"%d:%d"', new: '"%d:%02d"' },
  testCommand: "go test ./...",
  lint: "go vet ./...",
  one: "go test ./internal/span -run TestDigits",
};

export const smallRepositories: readonly SmallRepository[] = [
  typescript,
  mocha,
  jest,
  nodeTests,
  pythonSource,
  tox,
  toxInstalled,
  rust,
  go,
];
