// What a check names, by itself and by what a project's manifests say that it stands for.
import { expect, test } from "vitest";
import { filesNamedBy } from "../../../src/app/models/routing/strategies/named-files.ts";

const files: Record<string, string> = {
  "package.json": JSON.stringify({
    scripts: {
      check: "npm run one && make verify",
      one: "node ./tools/one.mjs",
      precheck: "sh tools/before.sh",
      other: "node tools/other.mjs",
    },
  }),
  Makefile:
    "LINT = tools/lint.py\nall:\n\tsh tools/all.sh\nverify: style\n\tsh tools/verify.sh\nstyle:\n\tpython3 $(LINT)\n",
  justfile: "check: style\n  sh tools/just.sh\nstyle:\n  sh tools/style.sh\nother:\n  sh tools/other.sh\n",
  "web/package.json": JSON.stringify({ scripts: { test: "node run.mjs a.js" } }),
  "loop/package.json": JSON.stringify({ scripts: { a: "npm run b", b: "npm run a" } }),
  "broken/package.json": "{",
};

test.each([
  ["sh ./check.sh", ["check.sh"]],
  ["npm run check", ["tools/before.sh", "tools/lint.py", "tools/one.mjs", "tools/verify.sh"]],
  ["CI=1 make", ["tools/all.sh"]],
  ["make -s verify LINT=tools/mine.py", ["tools/mine.py", "tools/verify.sh"]],
  ["just check", ["tools/just.sh", "tools/style.sh"]],
  ["cd web && npm test", ["web/a.js", "web/run.mjs"]],
  ["npm --prefix web test", ["web/a.js", "web/run.mjs"]],
  ["npm --prefix web run -s test", ["web/a.js", "web/run.mjs"]],
  ["npm --prefix loop run a", []],
  ["npm --prefix broken run a", []],
  ["cargo test", []],
])("%s names %j", async (command, names) => {
  const found = await filesNamedBy(command, (name) => Promise.resolve(files[name]));
  expect([...found].filter((name) => !name.includes("=")).toSorted()).toEqual(names);
});

test("a manifest leads nowhere outside, and its length decides not how much is read", async () => {
  const words = Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(" ");
  const asked: string[] = [];
  const hostile = JSON.stringify({ scripts: { test: `npm --prefix a/../../x run more ${words}` } });
  await filesNamedBy("npm test", (name) => {
    asked.push(name);
    return Promise.resolve(name === "package.json" ? hostile : undefined);
  });
  expect(asked.filter((name) => name.startsWith(".."))).toEqual([]);
  expect(asked.length).toBeLessThan(1_000);
  expect(asked).toContain("w0/package.json");
});
