import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { type GuardedOptions, guardedFetch } from "../../src/io/net/guarded.ts";
import { NetFailure } from "../../src/io/net/failure.ts";
import { htmlToText } from "../../src/io/net/html.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";
import { cpuClock } from "../support/cpu.ts";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const refusal = async (url: string, hosts: string[], options: GuardedOptions = {}): Promise<NetFailure> => {
  try {
    await guardedFetch(url, hosts, options);
  } catch (error) {
    if (error instanceof NetFailure) return error;
    throw error;
  }
  throw new Error(`${url} was fetched`);
};

test("a granted loopback address is fetched with its port, and with no other", async () => {
  server = await startRawServer((_request, response) => response.end("hello"));
  const reply = await guardedFetch(`${server.url}/a`, [server.host]);
  expect(reply).toMatchObject({ status: 200, text: "hello", truncated: false });
  const { port } = server;
  for (const hosts of [
    [],
    ["127.0.0.1"],
    [`127.0.0.1:${port + 1}`],
    ["*"],
    ["*.0.0.1"],
    [`localhost:${port}`],
    [`10.0.0.1:${port}`],
  ]) {
    expect((await refusal(`${server.url}/a`, hosts)).kind).toBe("forbidden");
  }
  expect(server.seen).toHaveLength(1);
});

test.each([
  "http://127.1:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://0:PORT/",
  "http://localhost:PORT/",
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/",
  "http://[fd00:ec2::254]/",
  "http://10.0.0.1/",
  "http://printer.local/",
])("%s is refused although names and hosts are granted freely", async (url) => {
  server = await startRawServer((_request, response) => response.end("reached"));
  const hosts = [
    "*.com",
    "*.internal",
    "printer.local",
    "169.254.169.254",
    "metadata.google.internal",
    "[fd00:ec2::254]",
    "public.test",
  ];
  const failure = await refusal(url.replace("PORT", String(server.port)), hosts);
  expect(failure.kind).toBe("forbidden");
  expect(server.seen).toHaveLength(0);
});

test("a public name that resolves inside is refused, and what was judged is what is connected to", async () => {
  server = await startRawServer((_request, response) => response.end("reached"));
  const url = `http://rebind.example.com:${server.port}/`;
  const hosts = [`rebind.example.com:${server.port}`];
  const inside = await refusal(url, hosts, { resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  expect(inside).toMatchObject({ kind: "forbidden" });
  expect(inside.message).toContain("127.0.0.1");
  const mixed = [
    { address: "93.184.216.34", family: 4 },
    { address: "::1", family: 6 },
  ];
  expect((await refusal(url, hosts, { resolve: async () => mixed })).kind).toBe("forbidden");
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? "10.0.0.1" : "127.0.0.1", family: 4 }];
  };
  expect((await refusal(url, hosts, { resolve, timeoutMs: 300 })).kind).toBe("forbidden");
  expect([lookups, server.seen.length]).toEqual([1, 0]);
});

test("redirects are judged anew, at most five are followed, credentials are not taken along", async () => {
  server = await startRawServer((request, response) => {
    const number = Number(/^\/(\d+)$/.exec(request.url ?? "")?.[1] ?? Number.NaN);
    const target: Record<string, string> = {
      "/out": "http://169.254.169.254/",
      "/file": "file:///etc/passwd",
      "/user": `http://u:p@${server?.host}/`,
    };
    const location = target[request.url ?? ""] ?? (number > 0 ? `/${number - 1}` : undefined);
    if (location) response.writeHead(302, { location }).end();
    else response.end("there");
  });
  const hosts = [server.host];
  expect(await guardedFetch(`${server.url}/5`, hosts)).toMatchObject({ text: "there", url: `${server.url}/0` });
  expect((await refusal(`${server.url}/6`, hosts)).message).toContain("more than 5");
  for (const path of ["/out", "/user"]) expect((await refusal(server.url + path, hosts)).kind).toBe("forbidden");
  expect((await refusal(`${server.url}/file`, hosts)).kind).toBe("invalid");
});

test("nothing personal is sent: no cookie, no body, no authorization", async () => {
  server = await startRawServer((_request, response) => response.writeHead(200, { "set-cookie": "a=b" }).end("x"));
  await guardedFetch(server.url, [server.host]);
  await guardedFetch(server.url, [server.host], { method: "HEAD" });
  await guardedFetch(`http://user:pass@${server.host}/`, [server.host]);
  expect(server.seen.map(({ method }) => method)).toEqual(["GET", "HEAD", "GET"]);
  for (const { headers, body } of server.seen) {
    expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
    expect(body).toBe("");
  }
  expect((await refusal("ftp://example.com/", ["example.com"])).kind).toBe("invalid");
});

test("long and slow answers are limited, also when compressed", async () => {
  server = await startRawServer((request, response) => {
    if (request.url === "/slow") response.write("a");
    else if (request.url === "/bomb")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000, 97)));
    else response.end("b".repeat(10_000));
  });
  const cut = await guardedFetch(server.url, [server.host], { maxBytes: 1000 });
  expect([cut.text.length, cut.truncated]).toEqual([1000, true]);
  const bomb = await guardedFetch(`${server.url}/bomb`, [server.host]);
  expect([bomb.text.length, bomb.truncated]).toEqual([2 * 1024 * 1024, true]);
  expect((await refusal(`${server.url}/slow`, [server.host], { timeoutMs: 80 })).kind).toBe("stalled");
});

test("content types are respected", async () => {
  const answers: Record<string, [string, Buffer]> = {
    "/html": ["text/html; charset=iso-8859-1", Buffer.from("<p>gr\u00fcn</p><script>evil()</script>", "latin1")],
    "/json": ["application/json", Buffer.from('{"a": "<b>"}')],
    "/png": ["image/png", Buffer.from([137, 80, 78, 71])],
    "/odd": ["text/plain; charset=klingon", Buffer.from("plain")],
  };
  server = await startRawServer((request, response) => {
    const [type, body] = answers[request.url ?? ""] ?? ["", ""];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  const text = async (path: string) => (await guardedFetch(server?.url + path, [server?.host ?? ""])).text;
  expect(await text("/html")).toBe("grün");
  expect(await text("/json")).toBe('{"a": "<b>"}');
  expect(await text("/png")).toBe("[image/png, 4 bytes: not text]");
  expect(await text("/odd")).toBe("plain");
});

test("HTML becomes text with its headings, lists, links and code", () => {
  const html = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
    <h1>Title &amp; more</h1><p>One <b>bold</b>
    word.<br>Next &lt;line&gt; &#8364;&#x41;</p><!-- hidden <p> -->
    <ul><li>first<li><a href="https://a.example/?x=1&amp;y=2">second</a></ul>
    <pre>  a
    b</pre><script>if (a < b) alert("</p>")</script><p title="a > b">end</p> 1 < 2 &toString;`;
  expect(htmlToText(html)).toBe(
    [
      "# Title & more",
      "",
      "One bold word.",
      "Next <line> €A",
      "",
      "- first",
      "- [second](https://a.example/?x=1&y=2)",
      "",
      "  a",
      "    b",
      "",
      "end",
      "",
      "1 < 2 &toString;",
    ].join("\n"),
  );
});

test("no HTML makes the reader slow or throw", () => {
  const evil = [
    "<".repeat(200_000),
    "<a ".repeat(60_000),
    "<!--".repeat(50_000),
    '<p x="'.repeat(40_000),
    "&#".repeat(100_000),
    "<script>".repeat(30_000),
    "<svg>".repeat(400_000),
    `<svg>${"</svg ".repeat(300_000)}`,
    `<pre>${" ".repeat(200_000)}end`,
  ];
  for (const html of evil) {
    const spent = cpuClock();
    htmlToText(html);
    expect(spent()).toBeLessThan(15_000);
  }
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "<",
          ">",
          "</",
          "<p",
          "<pre>",
          "<a href='",
          "<script",
          "-->",
          "<!--",
          "x",
          " ",
          "\n",
          "&amp;",
          '"',
        ),
      ),
      (bits) => {
        expect(typeof htmlToText(bits.join(""))).toBe("string");
      },
    ),
  );
});
