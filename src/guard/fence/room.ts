// Commands of a task that has programs running: which of them are in the same network, and whether one answers there.
import { classifyHost } from "../../base/address.ts";
import { splitHost } from "../../base/host-pattern.ts";
import { runProcess } from "../../io/process/run.ts";
import type { Jobs } from "../../io/process/jobs.ts";
import type { JobLook } from "../../io/process/spec.ts";
import type { Room } from "../../io/sandbox/room.ts";
import type { OpenRoom, Sandbox } from "../../io/sandbox/spec.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { GrantError } from "../grant.ts";
import { isHost, usesNetwork } from "../network-use.ts";
import type { Facts } from "../ports.ts";

export type SharedRoom = Pick<Room, "enter" | "opened">;

interface RoomWorld {
  workspace: string;
  temporary: string;
  own: string[];
  sandbox: Sandbox;
  jobs: Jobs;
  env: Record<string, string>;
  room?: SharedRoom;
}

/** A program that stays is always in the task's network, so that others reach it; it reaches nothing else. */
export async function entered({ room }: Pick<RoomWorld, "room">): Promise<OpenRoom | undefined> {
  try {
    return await room?.enter();
  } catch (error) {
    throw new GrantError(
      `A program cannot be left running for others to reach: ${error instanceof Error ? error.message : ""}.`,
    );
  }
}

/** What may reach hosts elsewhere keeps to a network of its own, lest what runs in the shared one used its way out. */
export const joined = ({ room }: Pick<RoomWorld, "room">, assessment: Assessment): OpenRoom | undefined =>
  staysInside(assessment) ? room?.opened : undefined;

function staysInside(assessment: Assessment): boolean {
  if (!usesNetwork(assessment)) return true;
  const named = assessment.effects.filter(({ kind }) => kind === "network").map(({ target }) => target);
  const sent = assessment.tags.some((tag) => ["push", "publish", "install"].includes(tag));
  return !sent && named.length > 0 && named.every((host) => isHost(host) && isLoopback(host));
}

const isLoopback = (host: string): boolean => classifyHost(splitHost(host).name) === "loopback";

/** Connects, as nothing but a shell can do everywhere; the first port that somebody listens at is said. */
const knock =
  'for p in "$@"; do for h in 127.0.0.1 ::1; do (exec 3<>"/dev/tcp/$h/$p") 2>&- && echo "$p" && exit 0; done; done; exit 1';
const knockMs = 5_000;

interface Looker {
  world: RoomWorld;
  facts: Facts;
  signal: AbortSignal;
}

export async function lookAtJob(
  { world, facts, signal }: Looker,
  id: string,
  ports: readonly number[],
): Promise<JobLook> {
  const bash = facts.systemProgram("bash");
  const answering =
    ports.length > 0 && bash !== undefined ? await answers({ world, signal }, [bash, ...knocking(ports)]) : undefined;
  const { job, output } = world.jobs.peek(id);
  return { job, output, ...(answering !== undefined && { answering }) };
}

const knocking = (ports: readonly number[]): string[] => ["-c", knock, "knock", ...ports.map(String)];

async function answers({ world, signal }: Omit<Looker, "facts">, argv: string[]): Promise<number | undefined> {
  const { workspace, sandbox, temporary, own, env } = world;
  const room = await entered(world);
  const wrapped = sandbox.wrap(argv, {
    ...{ workspace, cwd: workspace, writable: [temporary], readOnly: true, masked: [], own },
    ...{ network: false as const, gitWritable: false, ...(room && { room }) },
  });
  const { inherit, contained } = wrapped;
  const spec = { argv: wrapped.argv, inherit, contained, cwd: workspace, env, timeoutMs: knockMs };
  const exit = await runProcess({ ...spec, head: 1024, tail: 0, spillLimit: 0 }, signal);
  wrapped.cleanup();
  const port = Number(exit.output.trim());
  return exit.code === 0 && Number.isInteger(port) ? port : undefined;
}
