import { afterEach, expect, test } from "vitest";
import fc from "fast-check";
import { backoffDelay } from "../../src/base/backoff.ts";
import { createWire } from "../../src/model/wire.ts";
import { WireFault } from "../../src/protocol/request.ts";
import { armAt, hear, modelRequest, scrub, vendors } from "../support/arms.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const chat = vendors[3];
const quick = { first: 4, most: 30 };

async function run(script: Script, options: { signal?: AbortSignal; tries?: number; most?: number } = {}) {
  server = await startModelServer(script);
  const arm = await armAt(server.url, chat);
  const waits: { attempt: number; delayMs: number; cause: string }[] = [];
  const wire = createWire({ backoff: { ...quick, most: options.most ?? quick.most }, tries: options.tries ?? 5 });
  const stream = wire.stream(arm, scrub(modelRequest()), {
    signal: options.signal ?? new AbortController().signal,
    waiting: (attempt, delayMs, cause) => waits.push({ attempt, delayMs, cause }),
  });
  return { stream, waits, server };
}

test("rate limits, overloads, server errors and resets are tried again until an answer comes", async () => {
  const { stream, waits, server } = await run([
    { drop: "before" },
    { status: 429 },
    { status: 529 },
    { status: 500 },
    { say: "at last" },
  ]);
  expect((await hear(stream)).text).toBe("at last");
  expect(waits.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5]);
  for (const { cause } of waits) expect(cause).toMatch(/^test\b.*\.$/);
  expect(server.requests).toHaveLength(5);
});

test("after five tries the last fault is thrown", async () => {
  const { stream, server } = await run(() => ({ status: 503, say: "busy" }));
  await expect(hear(stream)).rejects.toMatchObject({ kind: "overloaded", status: 503 });
  expect(server.requests).toHaveLength(5);
});

test.each([400, 401, 403, 404, 413])("status %i is not tried again", async (status) => {
  const { stream, waits, server } = await run(() => ({ status }));
  await expect(hear(stream)).rejects.toBeInstanceOf(WireFault);
  expect([waits.length, server.requests.length]).toEqual([0, 1]);
});

test("once a part has been handed on, a broken connection is thrown and not repeated", async () => {
  const { stream, server } = await run([{ say: "one two three four five six", drop: "middle" }, { say: "again" }]);
  const heard: string[] = [];
  const reading = (async () => {
    for await (const part of stream) if (part.type === "text") heard.push(part.text);
  })();
  await expect(reading).rejects.toMatchObject({ kind: "connection" });
  expect(heard.join("")).toMatch(/^one two/);
  expect(server.requests).toHaveLength(1);
});

test("Retry-After is honoured, up to the longest wait", async () => {
  const { stream, waits } = await run([
    { status: 429, headers: { "retry-after-ms": "100" } },
    { status: 429, headers: { "retry-after-ms": "7" } },
    { status: 429, headers: { "retry-after": new Date(Date.now() - 1000).toUTCString() } },
    { say: "ok" },
  ]);
  await hear(stream);
  expect(waits.map(({ delayMs }) => delayMs)).toEqual([30, 7, 0]);
});

test("nobody waits in vain: asked for longer than all waits together, or where nothing listens", async () => {
  const limited = await run([{ status: 429, say: "Slow down", headers: { "retry-after": "7200" } }]);
  await expect(hear(limited.stream)).rejects.toThrow(/limits the rate .*Slow down\. It asks to wait 2 h\.$/);
  expect(limited.waits).toEqual([]);
  await limited.server.close();
  const gone = await run([]);
  await gone.server.close();
  await expect(hear(gone.stream)).rejects.toThrow(/nothing listens there .* Start the model server, or correct/);
  expect(gone.waits.map(({ attempt }) => attempt)).toEqual([2]);
});

test("an abort during a wait ends it at once with the reason", async () => {
  const controller = new AbortController();
  const { stream, waits, server } = await run(() => ({ status: 429, headers: { "retry-after": "600" } }), {
    signal: controller.signal,
    // Far longer than a test may take.
    most: 600_000,
  });
  const reason = new Error("stop");
  const heard = expect(hear(stream)).rejects.toBe(reason);
  await expect.poll(() => waits.length, { timeout: 60_000 }).toBe(1);
  controller.abort(reason);
  await heard;
  expect(server.requests).toHaveLength(1);
});

test("waits grow, are never longer than allowed, and differ by at most their half", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const backoff = { first: 100, most: 5_000 };
      const delay = backoffDelay(backoff, attempt, random);
      const full = Math.min(5_000, 100 * 2 ** (attempt - 2));
      expect(delay).toBeGreaterThanOrEqual(full / 2);
      expect(delay).toBeLessThanOrEqual(full);
      expect(backoffDelay(backoff, attempt, random, 9_999)).toBe(5_000);
      expect(backoffDelay(backoff, attempt, random, 42)).toBe(42);
    }),
  );
});
