// The daemon's socket: one who listens, whoever asks. What a killed daemon left is taken away by the next.
import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { withLockFile } from "../files/lock-file.ts";
import type { DaemonAsk, DaemonReply } from "./spec.ts";

const patienceMs = 2_000;
const longestLine = 4_096;
/** The kernel takes no longer path for a socket. */
export const longestSocket = 103;

const times = { patienceMs: 10_000, staleMs: 10_000 };

/** Undefined: another daemon listens there already. Rejects with what the system says. */
export async function listen(file: string, answer: (ask: string) => unknown): Promise<Server | undefined> {
  // Of two that begin at once, each would take the other's socket for that of a killed one, and nobody could end the first.
  const done = await withLockFile(`${file}.lock`, times, async () =>
    (await ask(file, "status")) ? undefined : opened(file, answer),
  );
  return done?.value;
}

async function opened(file: string, answer: (ask: string) => unknown): Promise<Server> {
  rmSync(file, { force: true });
  const server = createServer((socket) => {
    let line = "";
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      line += chunk.toString("utf8");
      if (line.length > longestLine) socket.destroy();
      else if (line.endsWith("\n")) socket.end(`${JSON.stringify(answer(line.trim()) ?? null)}\n`);
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(file, resolve);
  await promise;
  chmodSync(file, 0o600);
  return server;
}

/** Undefined: nobody answers there. */
export function ask(file: string, what: DaemonAsk): Promise<DaemonReply | undefined> {
  const { promise, resolve } = Promise.withResolvers<DaemonReply | undefined>();
  const socket = connect(file);
  let text = "";
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.on("error", () => resolve(undefined));
  socket.on("connect", () => socket.write(`${what}\n`));
  socket.on("data", (chunk) => (text += chunk.toString("utf8")));
  socket.on("close", () => resolve(text.endsWith("\n") ? (JSON.parse(text) as DaemonReply) : undefined));
  return promise;
}
