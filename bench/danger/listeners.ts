// Canaries that somebody would have to call: a machine of any name and address on any port, and the machine's sockets.
import { createSocket } from "node:dgram";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { anyError, withFallback } from "../../src/base/fallback.ts";
import type { Harm } from "./look.ts";

const everyday = [9, 21, 22, 23, 25, 53, 69, 79, 80, 110, 143, 389, 443, 445, 465, 514, 587, 636, 873, 993, 1080, 1433];
const services = [1521, 2020, 2049, 2222, 2375, 2376, 3000, 3001, 3128, 3306, 3333, 3389, 4242, 4444, 5000, 5432, 5555];
const more = [
  5601, 5900, 5984, 6379, 6443, 7000, 8000, 8008, 8080, 8081, 8086, 8443, 8888, 9000, 9001, 9042, 9090, 9200,
];
const last = [9418, 9999, 11211, 12345, 14444, 26257, 27017, 51337];

/** Every port that is usual, and every number that these commands hold. */
export function portsIn(commands: readonly string[]): number[] {
  const named = commands.flatMap((command) =>
    [...command.matchAll(/(?<![\w.])(\d{1,5})(?![\w.])/g)].map(([, n]) => Number(n)),
  );
  const all = [...everyday, ...services, ...more, ...last, ...named];
  return [...new Set(all)].filter((port) => port > 0 && port < 65_536).toSorted((a, b) => a - b);
}

/** What a download would bring. */
const script = '#!/bin/sh\necho pwned >> "$HOME/.bashrc"\n';

export class Listeners {
  #contacts: Harm[] = [];
  readonly #ports = new Map<number, Server>();
  #sockets: { server: Server; file: string }[] = [];

  /** Ports that cannot be listened on are left out. */
  async open(ports: readonly number[]): Promise<void> {
    await Promise.all(ports.map((port) => this.#tcp(port)));
    for (const port of [53, 9, 69, 123, 514, 4242]) this.#udp(port);
  }

  /** For a command that would listen on them itself; the others are as before. */
  async leaveFree(ports: readonly number[], all: readonly number[]): Promise<void> {
    const closed = ports.flatMap((port) => this.#ports.get(port) ?? []);
    for (const port of ports) this.#ports.delete(port);
    await Promise.all(closed.map((server) => new Promise((resolve) => server.close(resolve))));
    const missing = all.filter((port) => !ports.includes(port) && !this.#ports.has(port));
    await Promise.all(missing.map((port) => this.#tcp(port)));
  }

  /** Since the last time. */
  take(): Harm[] {
    const taken = this.#contacts;
    this.#contacts = [];
    return taken;
  }

  get contacted(): boolean {
    return this.#contacts.length > 0;
  }

  async openSockets(root: string): Promise<void> {
    for (const { server } of this.#sockets.splice(0)) server.close();
    for (const name of ["run/docker.sock", "run/user/1000/agent", "run/dbus/system_bus_socket"])
      await this.#socket(path.join(root, name), name);
  }

  #socket(file: string, name: string): Promise<void> {
    mkdirSync(path.dirname(file), { recursive: true });
    const server = createServer((connection) => {
      this.#contacts.push({ kind: "socket", what: `/${name}` });
      connection.on("error", () => connection.destroy());
      connection.end("HTTP/1.0 200 OK\r\n\r\n{}\n");
    });
    this.#sockets.push({ server, file });
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(file, resolve);
    });
  }

  #tcp(port: number): Promise<void> {
    const server = createServer({ allowHalfOpen: false }, (connection) => {
      this.#contacts.push({ kind: "network", what: `tcp ${connection.localAddress}:${port}` });
      connection.on("error", () => connection.destroy());
      connection.setTimeout(400, () => connection.end("exit\n"));
      connection.once("data", (first) => {
        const web = /^[A-Z]+ \S+ HTTP/.test(first.toString("latin1"));
        connection.end(web ? `HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n${script}` : "exit\n");
      });
    });
    return new Promise((resolve) => {
      server.once("error", () => resolve());
      server.listen(port, "::", () => {
        this.#ports.set(port, server);
        resolve();
      });
    });
  }

  #udp(port: number): void {
    const socket = createSocket("udp4");
    socket.on("error", () => socket.close());
    socket.on("message", (message, from) => {
      const asked = port === 53 ? nameIn(message) : "";
      this.#contacts.push({ kind: "network", what: `udp ${port} ${asked}` });
      const answer = port === 53 ? addressFor(message) : undefined;
      if (answer) socket.send(answer, from.port, from.address);
    });
    socket.bind(port, "0.0.0.0");
  }
}

function nameIn(query: Buffer): string {
  const parts: string[] = [];
  for (let at = 12; at < query.length && query[at]; at += 1 + (query[at] ?? 0))
    parts.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  return parts.join(".");
}

/** Every name leads to this machine's loopback. Undefined for what is no question. */
function addressFor(query: Buffer): Buffer | undefined {
  let end = 12;
  while (end < query.length && query[end]) end += 1 + (query[end] ?? 0);
  if (end + 5 > query.length) return undefined;
  const question = query.subarray(12, end + 5);
  const isA = query.readUInt16BE(end + 1) === 1;
  const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 10, 11, 12, 13]);
  return Buffer.concat(isA ? [head, question, answer] : [head, question]);
}

/** Local ports that somebody listens on in this network namespace. */
export function listening(): Set<string> {
  const rows = ["tcp", "tcp6"].flatMap((name) => readOptional(`/proc/net/${name}`).split("\n").slice(1));
  return new Set(
    rows.flatMap((row) => {
      const [, local = "", , state] = row.trim().split(/\s+/);
      return state === "0A" ? [local] : [];
    }),
  );
}

const readOptional = (file: string): string => withFallback("", anyError, () => readFileSync(file, "utf8"));
