// `fettle mcp serve` at an address, for the suite, which speaks to servers over HTTP only: each message goes to the real
// program over stdio as it came, and its answer comes back as it is. What the suite tests of HTTP itself is not fettle's.
import { type ChildProcess, spawn } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { makeScene } from "../../scenarios/scene.ts";
import { projectRoot } from "../../support/program.ts";

interface Message {
  id?: unknown;
  method?: string;
  [key: string]: unknown;
}

interface ServedFettle extends AsyncDisposable {
  url: string;
}

/** One run of the program; ids are told apart, since several clients may use the same. */
class Served {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #last = 0;

  constructor(cwd: string, env: Record<string, string>) {
    const program = path.join(projectRoot, "bin/fettle");
    this.#child = spawn(program, ["mcp", "serve"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    if (!this.#child.stdout) throw new Error("fettle mcp serve has no output");
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Message;
      this.#waiting.get(Number(answer.id))?.(answer);
    });
  }

  /** Undefined: it is a message that nobody answers. */
  async send(message: Message): Promise<Message | undefined> {
    const write = (sent: Message) => this.#child.stdin?.write(`${JSON.stringify(sent)}\n`);
    if (message.id === undefined || message.method === undefined) {
      write(message);
      return undefined;
    }
    const id = (this.#last += 1);
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    write({ ...message, id });
    const { id: _ours, ...rest } = await answer;
    this.#waiting.delete(id);
    return { ...rest, jsonrpc: "2.0", id: message.id };
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin?.end();
    await ended;
  }
}

/** `await using` it. */
export async function serveFettle(): Promise<ServedFettle> {
  const scene = await makeScene([], { files: { "a.txt": "alpha\n" } });
  const runs = new Map<string, Served>();
  const begin = (session: string): Served => {
    const run = new Served(scene.folder, scene.home.env);
    runs.set(session, run);
    return run;
  };
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Message;
    const first = message.method === "initialize";
    // A client of the current revision has no session.
    const session = first ? crypto.randomUUID() : String(incoming.headers["mcp-session-id"] ?? "current");
    const answer = await (runs.get(session) ?? begin(session)).send(message);
    const headers = { "content-type": "application/json", ...(first && { "mcp-session-id": session }) };
    if (answer === undefined) outgoing.writeHead(202).end();
    else outgoing.writeHead(200, headers).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await Promise.all([...runs.values()].map((run) => run.end()));
      await scene[Symbol.asyncDispose]();
    },
  };
}
