import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { socketFilter } from "../../../src/io/sandbox/seccomp.ts";

interface Call {
  architecture: number;
  number: number;
  arguments: number[];
}

/** The kernel's machine for the few instructions that the filter uses. */
function judge(program: Uint8Array, call: Call): "allow" | "kill" | number {
  const view = new DataView(program.buffer);
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    ...call.arguments.map((value, index): [number, number] => [16 + 8 * index, value]),
  ]);
  let held = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const [code, yes, no, value] = [
      view.getUint16(at * 8, true),
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
      view.getUint32(at * 8 + 4, true),
    ];
    if (code === 0x20) held = (data.get(value) ?? Number.NaN) >>> 0;
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x15) at += held === value ? yes : no;
    else if (code === 0x45) at += (held & value) !== 0 ? yes : no;
    else if (code === 0x35) at += held >= value ? yes : no;
    else if (code === 0x06) return value === 0x7fff0000 ? "allow" : value === 0x80000000 ? "kill" : value & 0xffff;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("ran off the end");
}

const machines = [
  {
    ...{ name: "x64", architecture: 0xc000003e, socket: 41, pair: 53, clone: 56, unshare: 272, ioctl: 16 },
    ...{
      openat: 257,
      chmods: [90, 91],
      fchmodat: 268,
      bpf: 321,
      mount: 165,
      keys: [248, 249, 250],
      read: 0,
      connect: 42,
    },
  },
  {
    ...{ name: "arm64", architecture: 0xc00000b7, socket: 198, pair: 199, clone: 220, unshare: 97, ioctl: 29 },
    ...{ openat: 56, chmods: [52], fchmodat: 53, bpf: 280, mount: 40, keys: [217, 218, 219], read: 63, connect: 203 },
  },
];

describe.each(machines)("the filter of $name", (machine) => {
  const program = socketFilter(machine.name)?.program ?? new Uint8Array();
  const call = (number: number, ...words: number[]) =>
    judge(program, { architecture: machine.architecture, number, arguments: words });

  test("lets through IP and netlink sockets and connected pairs only", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.constantFrom(1, 2, 3, 5, 0o4001, 0o2004002), (family, kind) => {
        expect(call(machine.socket, family, kind)).toBe([2, 10, 16].includes(family) ? "allow" : 1);
        expect(call(machine.pair, 1, kind)).toBe([1, 5].includes(kind & 0xf) ? "allow" : 1);
      }),
    );
    for (const number of [machine.read, machine.connect, 200, 59]) expect(call(number, 1, 2)).toBe("allow");
  });

  test("refuses keys, mounts, code for the kernel, and calls that it cannot look into", () => {
    for (const number of [...machine.keys, machine.mount, machine.bpf, 428, 442]) expect(call(number, 0, 0)).toBe(1);
    for (const number of [425, 426, 427, 435, 437]) expect(call(number, 0, 0)).toBe(38);
  });

  test("refuses a user namespace of the process's own, not a thread or a child", () => {
    for (const number of [machine.clone, machine.unshare]) {
      expect(call(number, 0x10000000)).toBe(1);
      expect(call(number, 0x10000000 | 0x20000 | 17)).toBe(1);
      expect(call(number, 0x3d0f00)).toBe("allow");
      expect(call(number, 17)).toBe("allow");
    }
  });

  test("refuses files that run as their owner, and typing into a terminal", () => {
    for (const number of machine.chmods) {
      expect(call(number, 3, 0o4755)).toBe(1);
      expect(call(number, 3, 0o2755)).toBe("allow");
    }
    expect(call(machine.fchmodat, 0, 0, 0o6755)).toBe(1);
    expect(call(machine.openat, 0, 0, 0o101, 0o4755)).toBe(1);
    expect(call(machine.openat, 0, 0, 0o101, 0o755)).toBe("allow");
    expect(call(machine.openat, 0, 0, 0, 0o4755)).toBe("allow");
    expect(call(machine.ioctl, 0, 0x5412)).toBe(1);
    expect(call(machine.ioctl, 0, 0x5413)).toBe("allow");
  });

  test("ends what speaks for another machine", () => {
    const foreign = machines.find(({ name }) => name !== machine.name)?.architecture ?? 0;
    for (const architecture of [0x40000003, foreign, 0]) {
      expect(judge(program, { architecture, number: machine.socket, arguments: [2, 1] })).toBe("kill");
    }
  });
});

test("the second call table of x64 is closed, and an unknown machine has no filter", () => {
  const program = socketFilter("x64")?.program ?? new Uint8Array();
  const call = { architecture: 0xc000003e, number: 0x40000000 + 41, arguments: [1, 1] };
  expect(judge(program, call)).toBe(38);
  expect(socketFilter("riscv64")).toBeUndefined();
});
