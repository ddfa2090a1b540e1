// Drawn sequences of contained runs through the real fence: what they see, what they change, what starts afterwards.
import { describe, expect, test } from "vitest";
import { sandboxHere } from "../support/sandbox.ts";
import { live } from "./workspaces/live.ts";

const worlds = Number(process.env["FETTLE_REAL_WORLDS"] ?? 25);
const from = Number(process.env["FETTLE_REAL_SEED"] ?? 1);

describe.skipIf(!sandboxHere)("drawn workspaces", () => {
  test(`${worlds} of them see, change and plant nothing but what is reported`, async () => {
    process.stdout.write(`seeds ${from} to ${from + worlds - 1}\n`);
    const problems: string[] = [];
    for (let seed = from; seed < from + worlds; seed += 1) problems.push(...(await live(seed)).problems);
    expect(problems).toEqual([]);
  }, 900_000);
});
