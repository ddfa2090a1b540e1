import { once } from "node:events";
import { createServer as createTcpServer, connect, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { egressGrant, unbounded } from "../../src/guard/fence/egress.ts";
import { networkText, networkVariables, openEgress } from "../../src/guard/fence/network.ts";
import { checkedAddresses } from "../../src/io/net/addresses.ts";
import { Egress, type EgressOptions, proxyPort } from "../../src/io/net/egress.ts";
import { parseDestination, refusalOf } from "../../src/io/net/egress-rules.ts";
import { serverName } from "../../src/io/net/server-name.ts";
import { site } from "../io/support/egress.ts";
import { openWorld, type TestWorld } from "./world.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function world(): TestWorld {
  const made = openWorld();
  closing.push(() => made.close());
  return made;
}
const judged = ({ facts }: TestWorld, command: string) => assess({ kind: "shell", command, background: false }, facts);
const grantOf = (at: TestWorld, command: string, bounds = unbounded) =>
  egressGrant(judged(at, command), at.facts, bounds);

describe("which hosts a command gets", () => {
  test.each<[string, string[], boolean]>([
    ["curl https://api.example.com/x", ["api.example.com"], false],
    ["curl http://localhost:8080/x", ["localhost:8080"], false],
    ["curl https://a.example.com:8443/ && wget https://b.example.com/", ["a.example.com:8443", "b.example.com"], false],
    ["curl https://$HOST/", [], true],
    ["curl https://api.$DOMAIN/", [], true],
    ["git clone https://github.com/a/b", ["github.com"], false],
    ["npm install --registry=http://localhost:4873/ x", ["localhost:4873"], false],
    ["npm i https://files.example.com/x.tgz", ["files.example.com"], false],
    ["pip install --index-url https://pypi.example.com/simple x", ["pypi.example.com"], false],
  ])("%s", (command, hosts, anyPublic) => {
    const grant = grantOf(world(), command);
    expect(grant?.anyPublic).toBe(anyPublic);
    expect(grant?.hosts).toEqual(expect.arrayContaining(hosts));
  });

  test("registries are those of the program, or those that the project names, when they are public", () => {
    const at = world();
    expect(grantOf(at, "npm install x")?.hosts).toContain("registry.npmjs.org");
    expect(grantOf(at, "pip install x")?.hosts).toEqual(["pypi.org", "files.pythonhosted.org"]);
    at.put(".npmrc", "@me:registry=https://npm.example.com/\nregistry = http://127.0.0.1:6379/\n");
    at.facts.refresh();
    const { hosts = [], anyPublic } = grantOf(at, "npm install x") ?? {};
    expect(hosts).toContain("npm.example.com");
    expect(hosts.join(" ")).not.toContain("127.0.0.1");
    expect(anyPublic).toBe(false);
  });

  test("commands that were not judged to use the network get none", () => {
    const at = world();
    for (const command of ["ls", "npm test", "node x.js", "git status"]) expect(grantOf(at, command)).toBeUndefined();
    expect(networkVariables(undefined, true)).toMatchObject({ npm_config_fetch_retries: "0" });
    const open = { ports: [], env: { HTTP_PROXY: "x" }, onDoor() {}, close: () => [] };
    expect(networkVariables(open, true)).toEqual(open.env);
    expect(networkVariables(undefined, false)).toEqual({});
  });

  test("policy bounds them: no network, or no more than its list", () => {
    const at = world();
    expect(grantOf(at, "curl https://a.example.com/", { ...unbounded, allowed: false })).toBeUndefined();
    const bounds = { ...unbounded, always: ["extra.example.org"], allowlist: ["*.example.com"] };
    expect(grantOf(at, "curl https://a.example.com/ https://b.example.org/", bounds)).toEqual({
      hosts: ["a.example.com"],
      anyPublic: false,
    });
    expect(grantOf(at, "curl https://$X/", bounds)).toEqual({ hosts: ["*.example.com"], anyPublic: false });
    // A proxy holds no process to a method or a path, so that such an entry opens nothing to one.
    const narrow = { ...unbounded, allowlist: ["GET api.example.com/v1/", "b.example.com/x/", "c.example.com"] };
    expect(grantOf(at, "curl https://$X/", narrow)).toEqual({ hosts: ["c.example.com"], anyPublic: false });
    const always = ["GET api.example.com/v1/", "d.example.com"];
    expect(grantOf(at, "curl https://a.example.com/", { ...unbounded, always })?.hosts).toEqual([
      "a.example.com",
      "d.example.com",
    ]);
  });

  test("the approval names them", () => {
    const at = world();
    const text = (command: string) => networkText(judged(at, command), at.facts, undefined);
    expect(text("curl https://a.example.com/")).toContain("a.example.com");
    expect(text("curl https://$X/")).toContain("any public host");
    expect(text("ls")).toBeUndefined();
  });
});

test("only what was granted may be reached, and no address inside by another name", () => {
  const grant = {
    hosts: ["a.example.com", "*.b.example", "localhost:5432", "[::1]:9000", "c.example:22"],
    anyPublic: false,
  };
  const refused = (authority: string, to = grant) => {
    const destination = parseDestination(authority);
    return "refused" in destination ? destination.refused : refusalOf(destination, to);
  };
  for (const open of [
    "a.example.com:443",
    "A.example.com:80",
    "x.b.example:443",
    "localhost:5432",
    "[::1]:9000",
    "c.example:22",
  ])
    expect(`${open} ${refused(open)}`).toBe(`${open} undefined`);
  for (const shut of [
    ...["a.example.com:8080", "b.example:443", "evil.example:443", "c.example:443", "a.example.com.evil.net:443"],
    ...["127.0.0.1:5432", "localhost:5433", "127.1:5432", "[::ffff:127.0.0.1]:5432", "0:5432", "169.254.169.254:80"],
    ...[
      "a.example.com",
      "a.example.com:0",
      "x@a.example.com:443",
      "a.example.com:443/..",
      "a.example.com:443#",
      ":443",
      "",
    ],
  ])
    expect(`${shut}: ${refused(shut)}`).not.toContain("undefined");
  const wide = { hosts: [], anyPublic: true };
  expect(refused("anything.example:2222", wide)).toBeUndefined();
  for (const inside of [
    "10.0.0.1:80",
    "localhost:80",
    "db.internal:5432",
    "[fe80::1]:80",
    "metadata.google.internal:80",
  ])
    expect(`${inside}: ${refused(inside, wide)}`).not.toContain("undefined");
});

async function door(options: EgressOptions): Promise<{ egress: Egress; open(): Promise<Socket> }> {
  const egress = new Egress(options);
  const server = createTcpServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  egress.attach(proxyPort, server);
  closing.push(() => egress.close());
  const { port } = server.address() as AddressInfo;
  return {
    egress,
    async open() {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
  };
}
async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe("the proxy", () => {
  test("sends a plain request on as it is, without the headers that were for the proxy, to the host of its address", async () => {
    let headers: unknown;
    const far = await site((request, response) => {
      headers = request.headers;
      response.writeHead(200, { connection: "close", "x-far": "1" }).end("FAR");
    });
    closing.push(() => far.close());
    const { egress, open } = await door({ hosts: [`localhost:${far.port}`], anyPublic: false });
    const address = `http://localhost:${far.port}/p?q=1`;
    const lines = `GET ${address} HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: Basic x\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nX-Kept: 2\r\n\r\n`;
    const answer = await ask(await open(), lines);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*x-far: 1[\s\S]*FAR/);
    expect(far.seen).toEqual(["GET /p?q=1"]);
    expect(headers).toMatchObject({ host: `localhost:${far.port}`, "x-kept": "2" });
    expect(Object.keys(headers as object)).not.toEqual(expect.arrayContaining(["proxy-authorization"]));
    expect(Object.keys(headers as object)).not.toEqual(expect.arrayContaining(["x-hop"]));
    expect(egress.report()).toMatchObject([{ host: `localhost:${far.port}`, connections: 1 }]);
  });

  test.each([
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET https://localhost/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET ftp://localhost/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET http://u:p@localhost/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT localhost HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
    "CONNECT 127.1:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
    "GET http://evil.example\\@localhost:1/ HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
    "\x05\x01\x00",
  ])("refuses %j", async (lines) => {
    const { egress, open } = await door({ hosts: ["localhost:1"], anyPublic: false });
    const answer = await ask(await open(), lines);
    expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
    expect(egress.report().every(({ refused }) => refused !== undefined)).toBe(true);
  });

  test.each([
    ["000 x\r\ncontent-length: 0", 502],
    ["099 x\r\ncontent-length: 0", 502],
    ["101 x\r\nupgrade: y\r\nconnection: upgrade", 502],
    ["200 x\r\nx-a: \u0001\r\ncontent-length: 0", 502],
    ["200 x\r\ntransfer-encoding: chunked\r\ncontent-length: 2", 502],
    ["999 x\r\ncontent-length: 0", 999],
  ])("a host that answers %j throws nothing here", async (head, status) => {
    const far = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(`HTTP/1.1 ${head}\r\n\r\n`));
    }).listen(0, "127.0.0.1");
    await once(far, "listening");
    closing.push(() => far.close());
    const { port } = far.address() as AddressInfo;
    const thrown: unknown[] = [];
    const note = (error: unknown) => thrown.push(error);
    process.prependListener("uncaughtException", note);
    closing.push(() => process.off("uncaughtException", note));
    const { open } = await door({ hosts: [`localhost:${port}`], anyPublic: false, idleMs: 2000 });
    const lines = `GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await ask(await open(), lines)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(thrown).toEqual([]);
  });

  test("a body of unknown length arrives as one, with any method, and is no second request", async () => {
    const bodies: string[] = [];
    const far = await site((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
      request.on("end", () => response.writeHead(200, { connection: "close" }).end("FAR"));
    });
    closing.push(() => far.close());
    const { open } = await door({ hosts: [`localhost:${far.port}`], anyPublic: false });
    const inner = "GET /second HTTP/1.1\r\nHost: x\r\n\r\n";
    const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const head = `DELETE http://localhost:${far.port}/first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    await ask(await open(), `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(far.seen).toEqual(["DELETE /first"]);
    expect(bodies.join("")).toBe(inner);
  });

  test("looks a name up once, and connects to what it judged", async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "10.0.0.9" : "127.0.0.1", family: 4 }];
    };
    const { egress, open } = await door({ hosts: ["rebind.example.com"], anyPublic: false, resolve });
    const answer = await ask(await open(), "CONNECT rebind.example.com:443 HTTP/1.1\r\n\r\n");
    expect(answer).toContain("resolves to 10.0.0.9");
    expect(lookups).toBe(1);
    expect(egress.report()).toMatchObject([{ host: "rebind.example.com:443", refused: expect.any(String) }]);
  });

  test("a tunnel to one host does not greet another", async () => {
    const heard: string[] = [];
    const far = createTcpServer((socket) =>
      socket.on("data", (chunk) => heard.push(JSON.stringify(serverName(chunk)))),
    );
    far.listen(0, "127.0.0.1");
    await once(far, "listening");
    closing.push(() => far.close());
    const { port } = far.address() as AddressInfo;
    const { egress, open } = await door({ hosts: [`localhost:${port}`], anyPublic: false });
    for (const servername of ["localhost", "other.example.com"]) {
      const socket = await open();
      socket.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`);
      await once(socket, "data");
      const tls = connectTls({ socket, servername });
      tls.on("error", () => undefined);
      if (servername === "localhost") await expect.poll(() => heard).toEqual(['{"name":"localhost"}']);
      else await once(socket, "close");
      tls.destroy();
    }
    expect(heard).toEqual(['{"name":"localhost"}']);
    expect(egress.report().at(-1)).toMatchObject({
      host: `other.example.com:${port}`,
      refused: "named in a connection to localhost",
    });
    const late = await open();
    late.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`);
    await once(late, "data");
    late.write(Buffer.from([0x15, 3, 3, 0, 2, 1, 0]));
    await once(late, "close");
    expect(heard).toEqual(['{"name":"localhost"}']);
    expect(egress.report().at(-1)?.refused).toMatch(/hides the name/);
  });
});

test("where networks are shared, the proxy listens on a port of this machine while the command runs", async () => {
  const at = world();
  const far = await site((_request, response) => response.end("FAR"));
  closing.push(() => far.close());
  const assessment = judged(at, `curl http://localhost:${far.port}/`);
  const parts = { world: { sandbox: { name: "sandbox-exec" } }, call: "c", assessment, facts: at.facts };
  const egress = await openEgress(parts);
  const [port = 0, direct] = egress?.ports ?? [];
  expect(direct).toBe(far.port);
  expect(egress?.env["HTTP_PROXY"]).toBe(`http://127.0.0.1:${port}`);
  const socket = connect(port, "127.0.0.1");
  expect(
    await ask(socket, `GET http://localhost:${far.port}/ HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n`),
  ).toContain("FAR");
  expect(egress?.close()).toMatchObject([{ host: `localhost:${far.port}` }]);
  await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow();
});

test("the name in a greeting is read from any pieces, and nothing makes it throw", async () => {
  const server = createTcpServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const tls = connectTls({ port, host: "127.0.0.1", servername: "name.example.com" });
  tls.on("error", () => undefined);
  const [socket] = (await once(server, "connection")) as [Socket];
  const [greeting] = (await once(socket, "data")) as [Buffer];
  tls.destroy();
  socket.destroy();
  server.close();
  expect(serverName(greeting)).toEqual({ name: "name.example.com" });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: greeting.length - 1 }), (length) => {
      expect(serverName(greeting.subarray(0, length))).toBe("more");
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(greeting.length), (noise, at) => {
      const spoilt = Buffer.from(greeting);
      spoilt.set(noise.subarray(0, greeting.length - at), at);
      serverName(spoilt);
      serverName(Buffer.from(noise));
    }),
  );
  expect(serverName(Buffer.from("GET / HTTP/1.1\r\n"))).toEqual({});

  // What a server might skip, or read in another way, must not stand before or in the greeting.
  const alert = Buffer.from([0x15, 3, 3, 0, 2, 1, 0]);
  const empty = Buffer.from([0x16, 3, 1, 0, 0]);
  const request = Buffer.from([0x16, 3, 1, 0, 4, 0, 0, 0, 0]);
  const cipher = Buffer.from([0x14, 3, 3, 0, 1, 1]);
  for (const before of [alert, empty, request, cipher, Buffer.concat([empty, alert])])
    expect(serverName(Buffer.concat([before, greeting]))).toBe("strange");
  const two = Buffer.from(greeting);
  const name = two.indexOf("name.example.com");
  two[name - 3] = 1;
  expect(serverName(two)).toBe("strange");
  const endless = Buffer.concat([Buffer.from([0x16, 3, 1, 0xff, 0xff, 1, 0xff, 0xff, 0xff]), Buffer.alloc(40_000)]);
  expect(serverName(endless)).toBe("strange");
});

test("a documentation address is reached by a public name alone", async () => {
  const resolve = async () => [{ address: "203.0.113.80", family: 4 }];
  expect(await checkedAddresses("registry.example.com", resolve)).toEqual(await resolve());
  await expect(checkedAddresses("localhost", resolve)).rejects.toThrow(/resolves to 203\.0\.113\.80/);
  const grant = { hosts: [], anyPublic: true };
  for (const host of ["203.0.113.80", "[2001:db8::1]"])
    expect(refusalOf({ host, port: 443 }, grant)).toMatch(/a private address/);
});
