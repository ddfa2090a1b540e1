// Memory that verifying takes, for 20,000 and for 200,000 entries.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/folders.ts";

const child = (name: string) => path.join(import.meta.dirname, "../../../io/children", `${name}.ts`);
test("verifying and reading take the same memory for 20,000 and for 200,000 entries", () => {
  const measured = [20_000, 200_000].map((count) => {
    const args = ["--expose-gc", child("verify-memory"), path.join(temporaryFolder(), "ledger"), String(count)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  });
  expect(measured).toMatchObject([
    { ok: true, entries: 20_000, read: 20_000 },
    { ok: true, entries: 200_000, read: 200_000 },
  ]);
  // The files differ by 90 MB.
  expect(measured[1].growth).toBeLessThan(measured[0].growth + 10_000_000);
  expect(measured[1].growth).toBeLessThan(25_000_000);
});
