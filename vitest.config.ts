import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Prompts are imported as text, as in the build. */
const textModules = {
  name: "text-modules",
  enforce: "pre" as const,
  load(id: string) {
    const file = id.split("?")[0] ?? id;
    if (!/\.(md|toml)$/.test(file)) return undefined;
    return `export default ${JSON.stringify(readFileSync(file, "utf8"))};`;
  },
};

export default defineConfig({
  plugins: [textModules],
  test: {
    include: ["test/**/*.test.ts"],
    isolate: false,
    // Most of a test is waiting for programs: a third worker fills two cores.
    maxWorkers: 3,
    // Whole tasks start a dozen programs; shared machines take ten times as long as quiet ones.
    testTimeout: 90_000,
    hookTimeout: 30_000,
    // Shared machines stall now and then: in CI a test that fails once and then passes is shown as retried, not as red.
    retry: process.env["CI"] ? 1 : 0,
  },
});
