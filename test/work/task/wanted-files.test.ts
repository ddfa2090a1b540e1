import { expect, test } from "vitest";
import { wantedFiles } from "../../../src/work/task/checks/wanted-files.ts";

const files = [
  ...["src/a.ts", "src/b.ts", "lib/b.ts", "src/cli.py", "package.json", "package-lock.json", ".github/x.yml"],
  ...["tsconfig.json", "docs/a.md"],
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
])("%s names %j", (words, named) => {
  expect(wantedFiles(words, files)).toEqual(named);
});
