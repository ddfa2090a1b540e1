// Commands beside programs that stay: which of them are in the same network, and whether one answers there.
import { classifyHost } from "../../base/address.ts";
import { splitHost } from "../../base/host-pattern.ts";
import { runProcess } from "../../io/process/run.ts";
import type { Jobs } from "../../io/process/jobs.ts";
import type { JobLook } from "../../io/process/spec.ts";
import type { Room } from "../../io/sandbox/room.ts";
import type { OpenRoom, Sandbox } from "../../io/sandbox/spec.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { GrantError } from "../contract/grant.ts";
import { isHost, usesNetwork } from "../matching/network-use.ts";
import type { Facts } from "../contract/ports.ts";

export type SharedRoom = Pick<Room, "enter" | "opened" | "required">;

interface RoomWorld {
  workspace: string;
  temporary: string;
  own: string[];
  sandbox: Sandbox;
  jobs: Jobs;
  env: Record<string, string>;
  room?: SharedRoom;
}

/**
 * A program that stays is in the network of the session or task, so that others reach it; it reaches nothing else. In a
 * session one that was let to hosts elsewhere, and one on a machine that cannot share a network, stays alone.
 */
export async function entered(
  { room }: Pick<RoomWorld, "room">,
  judged?: { assessment: Assessment; facts: Facts },
): Promise<OpenRoom | undefined> {
  if (judged && !room?.required && !staysInside(judged.assessment, judged.facts)) return undefined;
  try {
    return await room?.enter();
  } catch (error) {
    if (room?.required === false) return undefined;
    throw new GrantError(
      `A program cannot be left running for others to reach: ${error instanceof Error ? error.message : ""}.`,
    );
  }
}

/** What may reach hosts elsewhere keeps to a network of its own, lest what runs in the shared one used its way out. */
export const joined = (
  { room }: Pick<RoomWorld, "room">,
  assessment: Assessment,
  facts: Facts,
): OpenRoom | undefined => (staysInside(assessment, room?.required ? {} : facts) ? room?.opened : undefined);

/** A port of the machine's own that a person has named is elsewhere, too. */
function staysInside(assessment: Assessment, { namedHost }: Pick<Facts, "namedHost">): boolean {
  if (!usesNetwork(assessment)) return true;
  const named = assessment.effects.filter(({ kind }) => kind === "network").map(({ target }) => target);
  const sent = assessment.tags.some((tag) => ["push", "publish", "install"].includes(tag));
  return (
    !sent && named.length > 0 && named.every((host) => isHost(host) && isLoopback(host) && namedHost?.(host) !== true)
  );
}

const isLoopback = (host: string): boolean => classifyHost(splitHost(host).name) === "loopback";

/**
 * Connects, as nothing but a shell can do everywhere: the first port that somebody answers at is said, and, in a
 * network where nobody else is, every port that somebody listens at.
 */
const knock = `shared=$1; shift
for p in "$@"; do for h in 127.0.0.1 ::1; do (exec 3<>"/dev/tcp/$h/$p") 2>&- && echo "answers $p" && break 2; done; done
[ "$shared" = yes ] && cat /proc/net/tcp /proc/net/tcp6 2>&- | while read -r _ at _ state _; do
[ "$state" = 0A ] && echo "listens $((16#\${at##*:}))"; done; exit 0`;
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
  const room = await entered(world);
  const words = [room ? "yes" : "no", ...ports.map(String)];
  const said = bash === undefined ? "" : await inside({ world, signal }, room, [bash, "-c", knock, "knock", ...words]);
  const told = (word: string) =>
    [...said.matchAll(new RegExp(`^${word} (\\d+)$`, "gm"))].map(([, port]) => Number(port));
  const [answering] = told("answers");
  const { job, output } = world.jobs.peek(id);
  return { job, output, listening: [...new Set(told("listens"))], ...(answering !== undefined && { answering }) };
}

async function inside(
  { world, signal }: Omit<Looker, "facts">,
  room: OpenRoom | undefined,
  argv: string[],
): Promise<string> {
  const { workspace, sandbox, temporary, own, env } = world;
  const wrapped = sandbox.wrap(argv, {
    ...{ workspace, cwd: workspace, writable: [temporary], readOnly: true, masked: [], own },
    ...{ network: false as const, gitWritable: false, ...(room && { room }) },
  });
  const { inherit, contained } = wrapped;
  const spec = { argv: wrapped.argv, inherit, contained, cwd: workspace, env, timeoutMs: knockMs };
  try {
    return (await runProcess({ ...spec, head: 4096, tail: 0, spillLimit: 0 }, signal)).output;
  } finally {
    wrapped.cleanup();
  }
}
