// A classic BPF program for the kernel's system call filter: no sockets but IP and netlink, no key ring, no io_uring.
// Namespaces do not cover path sockets (docker, ssh-agent, D-Bus): whoever sees the file could connect.
import { createHash } from "node:crypto";

interface Architecture {
  audit: number;
  socket: number;
  socketpair: number;
  keys: readonly number[];
  /** x32 calls of x64 carry this bit. */
  foreignBit?: number;
}

const architectures: Record<string, Architecture> = {
  x64: { audit: 0xc000003e, socket: 41, socketpair: 53, keys: [248, 249, 250], foreignBit: 0x40000000 },
  arm64: { audit: 0xc00000b7, socket: 198, socketpair: 199, keys: [217, 218, 219] },
};
/** io_uring can make sockets past the filter; programs fall back when it is absent. */
const ioUring = [425, 426, 427];

const load = 0x20;
const equal = 0x15;
const atLeast = 0x35;
const and = 0x54;
const answer = 0x06;
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = 0x00050000 | 1; // EPERM
const absent = 0x00050000 | 38; // ENOSYS

const offsets = { number: 0, architecture: 4, first: 16, second: 24 };
const families = { inet: 2, inet6: 10, netlink: 16 };
/** A datagram pair could be connected to any path afterwards, so only connected kinds remain. */
const pairs = { stream: 1, seqpacket: 5 };

type Step = [code: number, value: number, yes?: string | undefined, no?: string] | string;

/** A jump without a label goes on with the next step. */
function steps(machine: Architecture): Step[] {
  const program: Step[] = [
    [load, offsets.architecture],
    [equal, machine.audit, undefined, "kill"],
    [load, offsets.number],
  ];
  if (machine.foreignBit !== undefined) program.push([atLeast, machine.foreignBit, "absent"]);
  for (const call of [...ioUring, ...machine.keys]) program.push([equal, call, "absent"]);
  program.push([equal, machine.socket, "socket"], [equal, machine.socketpair, "pair", "allow"]);
  program.push("socket", [load, offsets.first]);
  for (const family of Object.values(families)) program.push([equal, family, "allow"]);
  program.push([answer, refuse]);
  program.push("pair", [load, offsets.second], [and, 0xf]);
  for (const kind of Object.values(pairs)) program.push([equal, kind, "allow"]);
  program.push([answer, refuse]);
  program.push("absent", [answer, absent], "kill", [answer, killProcess], "allow", [answer, allow]);
  return program;
}

function assemble(program: readonly Step[]): Uint8Array {
  const labels = new Map<string, number>();
  const instructions: Exclude<Step, string>[] = [];
  for (const step of program) {
    if (typeof step === "string") labels.set(step, instructions.length);
    else instructions.push(step);
  }
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  instructions.forEach(([code, value, yes, no], index) => {
    const distance = (label: string | undefined) => (label === undefined ? 0 : (labels.get(label) ?? 0) - index - 1);
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, distance(yes));
    bytes.setUint8(index * 8 + 3, distance(no));
    bytes.setUint32(index * 8 + 4, value >>> 0, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** The filter for a machine (`process.arch`) and a name that changes with its content; undefined where unknown. */
export function socketFilter(machine: string): { program: Uint8Array; name: string } | undefined {
  const known = architectures[machine];
  if (!known) return undefined;
  const program = assemble(steps(known));
  const digest = createHash("sha256").update(program).digest("hex").slice(0, 12);
  return { program, name: `sockets-${machine}-${digest}.bpf` };
}
