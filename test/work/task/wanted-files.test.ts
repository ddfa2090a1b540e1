import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { wantedFiles } from "../../../src/work/task/checks/wanted-files.ts";

const files = [
  ...["src/a.ts", "src/b.ts", "lib/b.ts", "src/cli.py", "package.json", "package-lock.json", ".github/x.yml"],
  ...[
    "tsconfig.json",
    "docs/a.md",
    "README.md",
    "docs/README.md",
    "docs/CHANGELOG.rst",
    "src/HTTP.ts",
    "docs/UPGRADE.md",
  ],
  ...["src/cli/main.py", "src/deep/a.b.ts", "tests/test_cli.py", "tests/test_round.py", "more/test_cli.py", "Makefile"],
];

test.each<[words: string, named: string[]]>([
  ["It has to work in src/cli.py, too.", ["src/cli.py"]],
  ["cli.py needs it, and `./src/a.ts`", ["src/cli.py", "src/a.ts"]],
  // Two have that name.
  ["mend b.ts", []],
  ["put it into src/new.ts", ["src/new.ts"]],
  ["put it into other/new.ts or ../x/y.ts or /src/a.ts", []],
  ["Change src/a.ts. Leave src/cli.py as it is.", ["src/a.ts"]],
  ["Don't touch src/a.ts", []],
  ["lass src/a.ts, wie es ist", []],
  ["also in package.json, package-lock.json, tsconfig.json and .github/x.yml", []],
  ["it is 1.5 e.g. for v2.0", []],
  // Without the ending; the document at the top is meant where there are several.
  ["Mention it in the README.", ["README.md"]],
  ["the readme and the changelog need a line", ["README.md", "docs/CHANGELOG.rst"]],
  ["UPGRADE has to say it; docs/UPGRADE, too", ["docs/UPGRADE.md"]],
  ["an upgrade, as HTTP does it, is in the Makefile", []],
  ["src/a and ./src/deep/a.b need it", ["src/a.ts", "src/deep/a.b.ts"]],
  // A folder may be meant, or one of two files.
  ["src/cli needs it, and/or input/output", []],
  ["leave README as it is", []],
])("%s names %j", (words, named) => {
  expect(wantedFiles(words, files)).toEqual(named);
});

test.each<[words: string, named: string[]]>([
  ["one more case in test_cli.py", ["tests/test_cli.py"]],
  ["one more case in test_cli", ["tests/test_cli.py"]],
  ["put the negative ones into test_negative.py", ["tests/test_negative.py"]],
  ["put them into negative.py, or test it", []],
  ["not in test_negative.py", []],
  ["test_nothing holds nothing", []],
])("beside the planned test, %s names %j", (words, named) => {
  expect(wantedFiles(words, files, ["tests/test_round.py"])).toEqual(named);
});

test("a new test has no place where planned tests lie in several folders, or none is planned", () => {
  expect(wantedFiles("add test_new.py", files, ["tests/test_round.py", "more/test_cli.py"])).toEqual([]);
  expect(wantedFiles("add test_new.py", files)).toEqual([]);
});

test("property: whatever is said, only files of the repository and new ones in its folders are named", () => {
  const word = fc.oneof(fc.constantFrom(...files, ...files.map((file) => file.replace(/\.\w+$/, ""))), fc.string());
  fc.assert(
    fc.property(fc.array(word), (said) => {
      const folders = new Set(files.map((file) => path.posix.dirname(file)));
      for (const file of wantedFiles(said.join(" "), files, ["tests/test_round.py"])) {
        expect(files.includes(file) || folders.has(path.posix.dirname(file)), file).toBe(true);
        expect(file).not.toMatch(/^[./]|\.\.|lock|tsconfig|package\.json/);
      }
    }),
  );
});
