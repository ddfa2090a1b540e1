import fc from "fast-check";
import { expect, test } from "vitest";
import { socketFilter } from "../../src/io/sandbox/seccomp.ts";

interface Call {
  architecture: number;
  number: number;
  arguments: [number, number];
}

/** The kernel's machine for the few instructions that the filter uses. */
function judge(program: Uint8Array, call: Call): "allow" | "kill" | number {
  const view = new DataView(program.buffer);
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.arguments[0]],
    [24, call.arguments[1]],
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
    else if (code === 0x35) at += held >= value ? yes : no;
    else if (code === 0x06) return value === 0x7fff0000 ? "allow" : value === 0x80000000 ? "kill" : value & 0xffff;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("ran off the end");
}

const machines = [
  { name: "x64", architecture: 0xc000003e, socket: 41, pair: 53, keys: [248, 249, 250] },
  { name: "arm64", architecture: 0xc00000b7, socket: 198, pair: 199, keys: [217, 218, 219] },
];

test.each(machines)("the filter of $name lets through IP and netlink sockets and connected pairs only", (machine) => {
  const program = socketFilter(machine.name)?.program ?? new Uint8Array();
  const call = (number: number, ...words: [number, number]) =>
    judge(program, { architecture: machine.architecture, number, arguments: words });
  fc.assert(
    fc.property(fc.nat(60), fc.constantFrom(1, 2, 3, 5, 0o4001, 0o2004002), (family, kind) => {
      expect(call(machine.socket, family, kind)).toBe([2, 10, 16].includes(family) ? "allow" : 1);
      expect(call(machine.pair, 1, kind)).toBe([1, 5].includes(kind & 0xf) ? "allow" : 1);
    }),
  );
  for (const number of [425, 426, 427, ...machine.keys]) expect(call(number, 0, 0)).toBe(38);
  for (const number of [0, 1, 40, 42, 56, 59, 200, 435]) expect(call(number, 1, 2)).toBe("allow");
  const foreign = machines.find(({ name }) => name !== machine.name)?.architecture ?? 0;
  for (const architecture of [0x40000003, foreign, 0]) {
    expect(judge(program, { architecture, number: machine.socket, arguments: [2, 1] })).toBe("kill");
  }
});

test("the second call table of x64 is closed, and an unknown machine has no filter", () => {
  const program = socketFilter("x64")?.program ?? new Uint8Array();
  const call = { architecture: 0xc000003e, number: 0x40000000 + 41, arguments: [1, 1] as [number, number] };
  expect(judge(program, call)).toBe(38);
  expect(socketFilter("riscv64")).toBeUndefined();
});
