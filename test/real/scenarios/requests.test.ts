// 5 MB of output and the next request.
import { expect, test } from "vitest";
import type { ModelServerRequest } from "../../support/model-server.ts";
import { call, makeScene, resultsOf, shell } from "../../scenarios/scene.ts";

test("5 MB of output add at most 24 KB to the next request: head, tail, and the rest by its handle", async () => {
  const last = 730_000;
  const handle = (request: ModelServerRequest) => /spill:[\w./-]+/.exec(resultsOf(request)[0]?.text ?? "")?.[0] ?? "?";
  await using scene = await makeScene((request) => {
    const step = request.index;
    if (step === 0) return { calls: [shell(`seq ${last}`, "big")] };
    if (step === 1) return { calls: [call("read", { path: handle(request), offset: 400_000, limit: 3 }, "middle")] };
    return { say: "ok" };
  });
  const { code } = await scene.tell(["count"]);
  expect(code).toBe(0);
  const [first, second, third] = scene.server.requests;
  expect(Buffer.byteLength(second!.raw) - Buffer.byteLength(first!.raw)).toBeLessThanOrEqual(24 * 1024);
  const shown = resultsOf(second!)[0]?.text ?? "";
  expect(shown).toContain("\n1\n2\n3\n");
  expect(shown).toContain(`\n${last - 1}\n${last}\n`);
  expect(shown).toMatch(/cut from \d+(\.\d+)? MB/);
  expect(resultsOf(third!)[1]?.text).toContain("400000\n400001\n400002\n");
});
