import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { request } from "../../src/io/net/client.ts";
import { createFetch, readText } from "../../src/io/net/fetch.ts";
import { NetFailure } from "../../src/io/net/failure.ts";
import { KeepAlive } from "../../src/io/net/keep-alive.ts";
import { linesOf } from "../../src/io/net/lines.ts";
import { serveLocally } from "../../src/io/net/local-server.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const get = (url: string, more: object = {}) => request({ url, method: "GET", headers: {}, ...more });
const failureOf = (promise: Promise<unknown>): Promise<NetFailure> =>
  promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => (error instanceof NetFailure ? error : Promise.reject(error)),
  );

test("sends the body with its length and gives status, headers and body", async () => {
  server = await startRawServer((_request, response) => response.writeHead(201, { "x-a": "b" }).end("grüße"));
  const reply = await request({ url: `${server.url}/p?q=1`, method: "POST", headers: { "x-c": "d" }, body: "ä" });
  expect([reply.status, reply.headers["x-a"], await readText(reply.body)]).toEqual([201, "b", "grüße"]);
  expect(server.seen[0]).toMatchObject({
    method: "POST",
    path: "/p?q=1",
    body: "ä",
    headers: { "x-c": "d", "content-length": "2" },
  });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("decodes %s", async (encoding, compress) => {
  const text = "compressed ".repeat(1000);
  server = await startRawServer((_request, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(compress(text)),
  );
  expect(await readText((await get(server.url)).body)).toBe(text);
});

test("a broken or unknown encoding fails the body", async () => {
  server = await startRawServer((incoming, response) => {
    const encoding = incoming.url === "/zip" ? "gzip" : "zstd-9";
    response.writeHead(200, { "content-encoding": encoding }).end("no such thing");
  });
  for (const path of ["/zip", "/other"]) {
    const reply = await get(server.url + path);
    expect((await failureOf(readText(reply.body))).message).toContain(server.host);
  }
});

test("silence longer than the limit fails, before and after the headers", async () => {
  server = await startRawServer((incoming, response) => {
    if (incoming.url === "/late") response.write("some");
  });
  expect((await failureOf(get(server.url, { idleMs: 60 }))).kind).toBe("stalled");
  const reply = await get(`${server.url}/late`, { idleMs: 60 });
  expect((await failureOf(readText(reply.body))).kind).toBe("stalled");
});

test("a reset in the middle of a body fails the body", async () => {
  server = await startRawServer((incoming, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setTimeout(() => incoming.socket.resetAndDestroy(), 20);
  });
  const reply = await get(server.url);
  const failure = await failureOf(readText(reply.body));
  expect(failure.kind).toBe("reset");
  expect(failure.message).toContain(server.host);
});

test("an idle connection that the server closed just now is replaced without a word", async () => {
  let first = true;
  server = await startRawServer((incoming, response) => {
    if (incoming.url === "/second" && first) {
      first = false;
      incoming.socket.resetAndDestroy();
    } else response.end("ok");
  });
  await readText((await get(server.url)).body);
  expect(await readText((await get(`${server.url}/second`)).body)).toBe("ok");
});

test("a reset of a new connection is not passed over", async () => {
  server = await startRawServer((incoming) => void incoming.socket.resetAndDestroy());
  expect((await failureOf(get(server.url))).kind).toBe("reset");
  expect(server.seen).toHaveLength(1);
});

test("an abort rejects with its reason and closes the connection, waiting or reading", async () => {
  const closed: string[] = [];
  server = await startRawServer((incoming, response) => {
    incoming.socket.once("close", () => closed.push(incoming.url ?? ""));
    if (incoming.url === "/body") response.write("some");
  });
  const reason = new Error("stop it");
  const waiting = new AbortController();
  const wait = get(`${server.url}/wait`, { signal: waiting.signal });
  setTimeout(() => waiting.abort(reason), 20);
  await expect(wait).rejects.toBe(reason);
  const reading = new AbortController();
  const reply = await get(`${server.url}/body`, { signal: reading.signal });
  setTimeout(() => reading.abort(reason), 20);
  await expect(readText(reply.body)).rejects.toBe(reason);
  await expect(get(server.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await sleep(30);
  expect(closed.sort()).toEqual(["/body", "/wait"]);
});

test.each([
  ["http://127.0.0.1:1/", "unreachable"],
  ["http://no-such-host.invalid/", "unreachable"],
  ["ftp://127.0.0.1/", "invalid"],
  ["not a url", "invalid"],
])("%s fails as %s, in one sentence", async (url, kind) => {
  const failure = await failureOf(get(url));
  expect(failure.kind).toBe(kind);
  expect(failure.message).toMatch(/^[^\n]+\.$/);
});

test("a server that does not speak HTTP is told apart", async () => {
  server = await startRawServer((incoming) => {
    incoming.socket.end("SSH-2.0-OpenSSH_9.2\r\n");
  });
  expect((await failureOf(get(server.url))).kind).toBe("invalid");
});

test("fetch reads on demand, and cancelling closes the connection", async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  server = await startRawServer((_incoming, response) => {
    response.once("close", closed.resolve);
    const more = () => {
      while (written < 200 && response.write(Buffer.alloc(256 * 1024))) written += 1;
      if (written < 200) response.once("drain", more);
    };
    more();
  });
  const response = await createFetch()(server.url);
  const reader = response.body?.getReader();
  await reader?.read();
  await sleep(100);
  expect(written).toBeLessThan(150);
  await reader?.cancel();
  await closed.promise;
});

test("lines come as they are complete, characters are never torn, a line that was cut off is none", async () => {
  server = await startRawServer((incoming, response) => {
    const bytes = Buffer.from(`{"a":"ü"}\n\n{"b":2}\r\n${incoming.url === "/cut" ? '{"c":' : '{"c":3}'}`);
    for (const byte of bytes) response.write(Buffer.from([byte]));
    response.end();
  });
  const lines = async (url: string) => (await Array.fromAsync(linesOf((await get(url)).body))).flat();
  expect(await lines(server.url)).toEqual(['{"a":"ü"}', '{"b":2}', '{"c":3}']);
  expect(await lines(`${server.url}/cut`)).toEqual(['{"a":"ü"}', '{"b":2}']);
});

test("the local server answers in pieces and closes at once", async () => {
  const local = await serveLocally(({ method, path, body }) => ({
    status: 200,
    contentType: "text/plain",
    body: [method, path, body],
  }));
  const reply = await request({ url: `${local.url}/x`, method: "POST", headers: {}, body: "!" });
  expect(await readText(reply.body)).toBe("POST/x!");
  await local.close();
  expect((await failureOf(get(local.url))).kind).toMatch(/unreachable|reset/);
});

test.each(["identity", "gzip"])("a server that sends nothing but comments holds nobody up (%s)", async (encoding) => {
  server = await startRawServer((_incoming, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding });
    const out = encoding === "gzip" ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : response;
    if (out !== response) out.pipe(response);
    out.write("data: first\n\n");
    const beat = setInterval(() => void out.write(": keep-alive\n\n"), 20);
    response.once("close", () => clearInterval(beat));
  });
  const reply = await get(server.url, { idleMs: 100 });
  const failure = await failureOf(readText(reply.body));
  expect(failure).toMatchObject({ kind: "stalled", message: expect.stringContaining("only signs of life") });
});

const quiet = [": x\n", ":\r\n", "\n", 'event: ping\ndata: {"type": "ping"}\n\n', "data:\n\n", "event: keep-alive\n\n"];
const said = ['data: {"a":1}\n\n', '{"message":"hi"}\n', "event: message\ndata: x\n\n", "plain\n"];

test("property: however it is cut, only data counts; signs of life stretch the silence to three times itself", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.constantFrom(...quiet, ...said), ms: fc.nat(50) })),
      fc.integer({ min: 1, max: 9 }),
      (events, size) => {
        let now = 0;
        const alive = new KeepAlive("host", 40, () => now);
        let heard = 0;
        for (const { text, ms } of events) {
          now += ms;
          const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
          const failures = pieces.map((piece) => alive.add(Buffer.from(piece))).filter(Boolean);
          const speaks = said.includes(text);
          if (!speaks) expect(failures.length > 0).toBe(now - heard > 120);
          if (speaks) heard = now;
        }
      },
    ),
  );
});
