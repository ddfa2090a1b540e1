// Files that a command runs, however it spells them.
import { expect, test } from "vitest";
import { filesIn, filesRunBy, manifestFor, spelled } from "../../../../src/work/task/checks/run-files.ts";

const files = spelled([
  ...["tools/check.mjs", "tools/lint/index.js", "tools/verify.py", "tools/all/__main__.py", "scripts/smoke"],
  ...["cmd/check/main.go", "cmd/check/more.go", "src/index.js", "src/round.js", "lint.js", "Makefile"],
]);

test.each([
  ["node tools/check.mjs", ["tools/check.mjs"]],
  ["node ./tools/check.mjs --strict", ["tools/check.mjs"]],
  ["node tools/check", ["tools/check.mjs"]],
  ["node --enable-source-maps 'tools/check'", ["tools/check.mjs"]],
  ["node tools/lint", ["tools/lint/index.js"]],
  ["python3 -m tools.verify", ["tools/verify.py"]],
  ["python3 -m tools.all", ["tools/all/__main__.py"]],
  ["python tools/all", ["tools/all/__main__.py"]],
  ['"$PWD/scripts/smoke"', ["scripts/smoke"]],
  ["$(pwd)/scripts/smoke && echo done", ["scripts/smoke"]],
  ["sh ./scrip\\ts/smo'ke'", ["scripts/smoke"]],
  ["cd tools && node check", ["tools/check.mjs"]],
  ["go run ./cmd/check", ["cmd/check/main.go", "cmd/check/more.go"]],
  ["(cd tools && node check)", ["tools/check.mjs"]],
  ["sh -c 'cd tools; node ./check'", ["tools/check.mjs"]],
  ['bash -lc "node tools/check"', ["tools/check.mjs"]],
  ["node --import tsx tools/check", ["tools/check.mjs"]],
  ["node -r ./setup.cjs --no-warnings tools/check", ["tools/check.mjs"]],
  ["go run -C cmd ./check", ["cmd/check/main.go", "cmd/check/more.go"]],
  ["go -C cmd run ./check", ["cmd/check/main.go", "cmd/check/more.go"]],
  ["env CI=1 timeout 60 python3 -W error tools/verify.py", ["tools/verify.py"]],
  // What a runner or a linter is told to look at is not run by its name.
  ["vitest run src/round", []],
  ["eslint src", []],
  ["go test ./cmd/check", []],
  ["npm run lint", []],
  ["node node_modules/.bin/vitest run src/round", []],
])("%s", (command, found) => {
  expect(filesIn(command, files).toSorted()).toEqual(found);
});

test("a script of package.json stands for what it runs, and make for its recipes", () => {
  const manifest = JSON.stringify({ scripts: { verify: "node tools/check" } });
  expect(filesRunBy("npm run verify", manifest, files)).toEqual(["tools/check.mjs"]);
  expect(filesRunBy("make verify", undefined, files)).toEqual(["Makefile"]);
  const inner = spelled(["web/tools/check.mjs", "web/package.json", "web/Makefile", "tools/check.mjs"]);
  for (const command of ["cd web && npm run verify", "npm --prefix web run verify", "pnpm --dir=web run verify"])
    expect([manifestFor(command), filesRunBy(command, manifest, inner)], command).toEqual([
      "web/package.json",
      expect.arrayContaining(["web/tools/check.mjs"]),
    ]);
  expect(filesRunBy("make -C web verify", undefined, inner)).toContain("web/Makefile");
});
