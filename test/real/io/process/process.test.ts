// A command that prints a gigabyte, in constant memory.
import { statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, run, type World } from "../../../io/support/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

test("a gigabyte is printed in constant memory, with head, tail and the spill up to its limit", async () => {
  const spill = path.join(world.root, "spill");
  const seen = { bytes: 0 };
  const before = process.memoryUsage().rss;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const exit = await run(world, "echo first; head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo last", {
    head: 2000,
    tail: 2000,
    spill,
    spillLimit: 5_000_000,
    onOutput: (text) => {
      seen.bytes += text.length;
    },
  });
  clearInterval(timer);
  expect(exit).toMatchObject({ code: 0, bytes: 1_000_000_000 + 12, spill });
  expect(exit.output).toMatch(/^first\nx+\n\[… 999997212 bytes left out …\]\nx+\nlast\n$/);
  expect(statSync(spill).size).toBe(5_000_000);
  expect(seen.bytes).toBeLessThan(200_000_000);
  expect(peak - before).toBeLessThan(150 * 1024 * 1024);
});
