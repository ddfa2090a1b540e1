import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const tests = path.dirname(import.meta.dirname);

/** Tests of which `npm test` draws a part: they import `draws.ts`, and draw everything here. */
const drawn = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts") && !name.startsWith("real"))
  .filter((name) => readFileSync(path.join(tests, name), "utf8").includes("support/draws.ts"))
  .map((name) => `test/${name.split(path.sep).join("/")}`);

/** `npm run test:real`: what takes long, needs many languages, or draws thousands and runs what it has drawn. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  {
    test: {
      include: ["test/real/**/*.test.ts", ...drawn],
      env: { FETTLE_TEST_WHOLE: "1" },
      testTimeout: 360_000,
      hookTimeout: 120_000,
    },
  },
);
