// A network that several sandboxed commands share: what one of them serves the others reach by loopback, nobody else
// does, and there is no way out of it. It lives as long as it is held open here, or somebody is in it.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { Readable } from "node:stream";
import type { OpenRoom, Sandbox } from "./spec.ts";
import { confinement } from "./probe.ts";

const places = ["/usr/bin/nsenter", "/bin/nsenter", "/usr/local/bin/nsenter", "/run/current-system/sw/bin/nsenter"];
const patienceMs = 10_000;

/** Throws when this machine cannot have one. */
export async function openRoom(bwrap: string): Promise<OpenRoom> {
  const nsenter = places.find(existsSync);
  if (nsenter === undefined) throw new Error("nsenter is not installed (it comes with util-linux)");
  // Nothing is run in there: the first process only stays until its namespaces are held.
  const first = [...confinement, "--unshare-net", "--ro-bind", "/", "/", "--info-fd", "3", "--", "/bin/cat"];
  const child = spawn(bwrap, first, {
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    timeout: patienceMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  try {
    const pid = await Promise.race([processIn(child.stdio[3], child.stderr), failed]);
    const held = [openSync(`/proc/${pid}/ns/user`, "r"), openSync(`/proc/${pid}/ns/net`, "r")];
    return {
      nsenter,
      files: held.map((descriptor) => `/proc/${process.pid}/fd/${descriptor}`),
      close: () => held.splice(0).forEach(closeSync),
    };
  } finally {
    child.stdin?.end();
    await Promise.race([ended, failed]).catch(() => undefined);
  }
}

async function processIn(info: unknown, errors: Readable | null): Promise<number> {
  if (!(info instanceof Readable) || !errors) throw new Error("bubblewrap says nothing");
  let [said, wrong] = ["", ""];
  errors.on("data", (chunk: Buffer) => (wrong += chunk.toString()));
  for await (const chunk of info as AsyncIterable<Buffer>) {
    said += chunk.toString();
    // It is written in pieces, and whoever stops listening in between ends it.
    const pid = /"child-pid":\s*(\d+)[\s\S]*\}\s*$/.exec(said)?.[1];
    if (pid !== undefined) return Number(pid);
  }
  throw new Error(wrong.trim() || "bubblewrap ended");
}

/** The words before bubblewrap's own: the command joins the room, and gets no hold of what let it in. */
export function intoRoom({ nsenter }: OpenRoom, first: number, withUser: boolean): string[] {
  const [user, net] = [first, first + 1];
  const doors = [...(withUser ? [`--user=/proc/self/fd/${user}`, "--preserve-credentials"] : [])];
  const close = `exec "$@" ${user}<&- ${net}<&-`;
  return [nsenter, ...doors, `--net=/proc/self/fd/${net}`, "--", "/bin/sh", "-c", close, "sh"];
}

/** The room of one session or task, made when the first program that stays is started in it. */
export class Room {
  readonly #sandbox: Pick<Sandbox, "openRoom">;
  #open: OpenRoom | undefined;
  #closed = false;
  /** A task's programs are started for its checks, which have to reach them; a session's may also run unreached. */
  readonly required: boolean;

  constructor(sandbox: Pick<Sandbox, "openRoom">, { required = true } = {}) {
    this.#sandbox = sandbox;
    this.required = required;
  }

  get opened(): OpenRoom | undefined {
    return this.#open;
  }

  /** Undefined where commands are not kept apart. Throws when this machine cannot have one. */
  async enter(): Promise<OpenRoom | undefined> {
    if (this.#closed) throw new Error("its network was closed");
    this.#open ??= await this.#sandbox.openRoom?.();
    return this.#open;
  }

  close(): void {
    this.#closed = true;
    this.#open?.close();
    this.#open = undefined;
  }
}
