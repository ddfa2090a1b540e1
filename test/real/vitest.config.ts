import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

/** `npm run test:real`: generators that run what they draw. One at a time; each ends by itself. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  { test: { include: ["test/real/**/*.test.ts"], maxWorkers: 1, testTimeout: 360_000, hookTimeout: 120_000 } },
);
