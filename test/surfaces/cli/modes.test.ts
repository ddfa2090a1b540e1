import { expect, test } from "vitest";
import { openFlags, parseMode, parseRole } from "../../../src/surfaces/cli/host/flags.ts";

const noFile = () => Promise.reject(new Error("no file"));

test.each([
  ["default", { autonomy: 0 }],
  ["auto", { autonomy: 1 }],
  ["accept_edits", { autonomy: 2 }],
  ["accept-edits", { autonomy: 2 }],
  ["bypass", { autonomy: 5 }],
  ["plan", { ceiling: "plan" }],
  ["deny", { ceiling: "deny" }],
  ["none", { ceiling: "none" }],
  ["Trusted", { autonomy: 3 }],
  ["4", { autonomy: 4 }],
] as const)("--mode %s", async (mode, flags) => {
  expect(parseMode(mode)).toEqual(flags);
  expect(await openFlags({ mode }, true, noFile)).toEqual({ headless: true, ...flags });
});

test("a ceiling combines with a level; two levels contradict each other; other words are none", async () => {
  expect(await openFlags({ mode: "plan", autonomy: "5" }, true, noFile)).toMatchObject({
    autonomy: 5,
    ceiling: "plan",
  });
  await expect(openFlags({ mode: "bypass", autonomy: "2" }, true, noFile)).rejects.toThrow(
    /--mode bypass and --autonomy/,
  );
  await expect(openFlags({ mode: "yolo" }, true, noFile)).rejects.toThrow(/'yolo' is no mode/);
});

test("--role takes the names of roles", async () => {
  expect(parseRole("read_only")).toBe("read-only");
  expect(await openFlags({ role: "standard" }, true, noFile)).toEqual({ headless: true, role: "standard" });
  await expect(openFlags({ role: "root" }, true, noFile)).rejects.toThrow(/'root' is no role; use read-only/);
});
