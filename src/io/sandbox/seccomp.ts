// A classic BPF program for the kernel's system call filter: no sockets but IP and netlink, no key ring, no io_uring,
// no namespaces or mounts of its own, nothing that loads code into the kernel, no set-user-ID files, no typing for others.
// Namespaces do not cover path sockets (docker, ssh-agent, D-Bus): whoever sees the file could connect.
import { createHash } from "node:crypto";

interface Architecture {
  audit: number;
  socket: number;
  socketpair: number;
  clone: number;
  unshare: number;
  ioctl: number;
  /** Calls that are refused whatever they ask. */
  refused: readonly number[];
  /** Calls that set a file's mode: the argument with the mode, and the one whose flags say that a file is made. */
  modes: readonly { call: number; mode: number; flags?: number }[];
  /** x32 calls of x64 carry this bit. */
  foreignBit?: number;
}

/** Mounts by the newer calls, and what has had one number everywhere since numbers are given out for all. */
const newMounts = [428, 429, 430, 431, 432, 433, 442];

const architectures: Record<string, Architecture> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    socketpair: 53,
    clone: 56,
    unshare: 272,
    ioctl: 16,
    // mount, umount2, pivot_root, setns, open_by_handle_at, init_module, finit_module, delete_module, kexec_load,
    // kexec_file_load, bpf, perf_event_open, userfaultfd, keys
    refused: [165, 166, 155, 308, 304, 175, 313, 176, 246, 320, 321, 298, 323, 248, 249, 250, ...newMounts],
    modes: [
      { call: 90, mode: 1 },
      { call: 91, mode: 1 },
      { call: 85, mode: 1 },
      { call: 133, mode: 1 },
      { call: 268, mode: 2 },
      { call: 452, mode: 2 },
      { call: 259, mode: 2 },
      { call: 2, mode: 2, flags: 1 },
      { call: 257, mode: 3, flags: 2 },
    ],
    foreignBit: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    clone: 220,
    unshare: 97,
    ioctl: 29,
    refused: [40, 39, 41, 268, 265, 105, 273, 106, 104, 294, 280, 241, 282, 217, 218, 219, ...newMounts],
    modes: [
      { call: 52, mode: 1 },
      { call: 53, mode: 2 },
      { call: 452, mode: 2 },
      { call: 33, mode: 2 },
      { call: 56, mode: 3, flags: 2 },
    ],
  },
};
/**
 * io_uring can make sockets and files past the filter. clone3 and openat2 keep what they ask where a filter cannot look.
 * Programs fall back to the older calls when these are absent.
 */
const unseen = [425, 426, 427, 435, 437];
const newUser = 0x10000000;
const setUser = 0o4000;
/** O_CREAT and the bit of O_TMPFILE: without them a mode means nothing and may be anything. */
const makesFile = 0o100 | 0o20000000;
/** TIOCSTI and TIOCLINUX put keys into a terminal. */
const typing = [0x5412, 0x541c];

const load = 0x20;
const equal = 0x15;
const atLeast = 0x35;
const anyBit = 0x45;
const and = 0x54;
const answer = 0x06;
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = 0x00050000 | 1; // EPERM
const absent = 0x00050000 | 38; // ENOSYS

const offsets = { number: 0, architecture: 4 };
const argument = (index: number): number => 16 + 8 * index;
const families = { inet: 2, inet6: 10, netlink: 16 };
/** A datagram pair could be connected to any path afterwards, so only connected kinds remain. */
const pairs = { stream: 1, seqpacket: 5 };

type Step = [code: number, value: number, yes?: string | undefined, no?: string] | string;

/** Blocks of several calls, each reached by its number. A jump without a label goes on with the next step. */
function blocks(machine: Architecture): { call: number; label: string; steps: Step[] }[] {
  const sockets = Object.values(families).map((family): Step => [equal, family, "allow"]);
  const kinds = Object.values(pairs).map((kind): Step => [equal, kind, "allow"]);
  const namespaces: Step[] = [
    [load, argument(0)],
    [anyBit, newUser, "refuse", "allow"],
  ];
  return [
    { call: machine.socket, label: "socket", steps: [[load, argument(0)], ...sockets, [answer, refuse]] },
    { call: machine.socketpair, label: "pair", steps: [[load, argument(1)], [and, 0xf], ...kinds, [answer, refuse]] },
    { call: machine.clone, label: "clone", steps: namespaces },
    { call: machine.unshare, label: "unshare", steps: namespaces },
    {
      call: machine.ioctl,
      label: "ioctl",
      steps: [[load, argument(1)], ...typing.map((word): Step => [equal, word, "refuse"]), [answer, allow]],
    },
    ...machine.modes.map(({ call, mode, flags }) => {
      const making: Step[] =
        flags === undefined
          ? []
          : [
              [load, argument(flags)],
              [anyBit, makesFile, undefined, "allow"],
            ];
      const judged: Step[] = [...making, [load, argument(mode)], [anyBit, setUser, "refuse", "allow"]];
      return { call, label: `mode ${call}`, steps: judged };
    }),
  ];
}

function steps(machine: Architecture): Step[] {
  const program: Step[] = [
    [load, offsets.architecture],
    [equal, machine.audit, undefined, "kill"],
    [load, offsets.number],
  ];
  if (machine.foreignBit !== undefined) program.push([atLeast, machine.foreignBit, "absent"]);
  for (const call of unseen) program.push([equal, call, "absent"]);
  for (const call of machine.refused) program.push([equal, call, "refuse"]);
  const judged = blocks(machine);
  program.push(...judged.map(({ call, label }): Step => [equal, call, label]), [answer, allow]);
  for (const block of judged) program.push(block.label, ...block.steps);
  program.push("refuse", [answer, refuse], "absent", [answer, absent]);
  program.push("kill", [answer, killProcess], "allow", [answer, allow]);
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
