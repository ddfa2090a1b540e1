// Which commands' ends tell how tests ended.
import { expect, test } from "vitest";
import { runsTests, testsPassed } from "../../../src/app/models/routing/evidence/test-commands.ts";

const tells = (command: string): boolean => runsTests({ action: { kind: "shell", command, background: false } });

test.each([
  "npm test",
  "cd packages/a && npm test 2>&1",
  "npx vitest run -t 'a | b; c' > out.txt",
  'pytest -k "one or two" && cargo test',
  'npm test -- "$A" && pytest "a\\"; b"',
])("the end of %j is that of the tests", (command) => {
  expect(tells(command)).toBe(true);
});

test.each([
  "npm test | tail -20",
  "npm test 2>&1 | tee log",
  "pytest || true",
  "npm test; echo done",
  "npm test &",
  "npm test\necho done",
  "! pytest",
  "(pytest; true)",
  'pytest "$(true; echo a)"',
  'npm test \\" ; true ; echo \\"',
  "npm test $'\\'' ; true '#'",
  'npm test "$A" ; true ; echo "a"',
  'npm test "`true`"',
  "trap 'exit 0' EXIT && npm test",
])("the end of %j is another's", (command) => {
  expect(tells(command)).toBe(false);
});

test.each([
  "npm t",
  "CI=1 timeout 60 npm run test:unit -- a.test.ts",
  "pnpm --filter x test",
  "node --test test/a.test.js",
  "sh run.sh node_modules/vitest/vitest.mjs run test/a",
  "./node_modules/.bin/jest a",
  "python3 -m unittest discover",
  "uv run pytest",
  "cargo nextest run",
  "./gradlew check",
  "(cd a && make test)",
])("%j runs tests", (command) => {
  expect(tells(command)).toBe(true);
});

test.each([
  "npm install vitest",
  "uv add pytest",
  "python -m pip install pytest",
  "node -e 'test()'",
  "echo npm test",
  "git commit -m test",
  "test -f a",
  "cd test && npm run lint",
  "npm run typecheck",
  "cargo clippy",
  "cargo build --tests",
  "pytest --collect-only",
  "npm test -- --listTests",
  "npm ls jest",
])("%j only speaks of them, or checks something else", (command) => {
  expect(tells(command)).toBe(false);
});

test.each<[Parameters<typeof testsPassed>[0], boolean | undefined]>([
  [{ status: "done" }, true],
  [{ status: "done", params: { exit: 1 } }, false],
  [{ status: "failed", code: "process.timeout" }, false],
  [{ status: "done", params: { exit: 127 } }, undefined],
  [{ status: "done", params: { job: "1" } }, undefined],
  [{ status: "failed", code: "stopped" }, undefined],
  [{ status: "failed", code: "process.unstartable" }, undefined],
  [{ status: "refused" }, undefined],
])("%j: passed is %j", (result, passed) => {
  expect(testsPassed(result)).toBe(passed);
});
