// Descriptors that fettle's own parent left open reach every child, and a folder among them leads out of any sandbox.
import { openSync, readdirSync, readFileSync } from "node:fs";

const closedOnExec = 0o2000000;

function flagsOf(descriptor: number): number | undefined {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
    return Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(text)?.[1] ?? "", 8);
  } catch {
    // The descriptor of the listing itself is closed by now.
    return undefined;
  }
}

function find(): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fdinfo");
  } catch {
    return [];
  }
  return names.map(Number).filter((descriptor) => {
    const flags = descriptor > 2 ? flagsOf(descriptor) : undefined;
    return flags !== undefined && (flags & closedOnExec) === 0;
  });
}

let found: number[] | undefined;
let nothing: number | undefined;

type Slot = number | "pipe" | "ignore" | "ipc";

/** What to hand to a child in the place of inherited descriptors: Node opens its own ones so that they close. */
export function coverLeaks(stdio: Slot[]): Slot[] {
  found ??= find();
  for (const descriptor of found) {
    while (stdio.length <= descriptor) stdio.push("ignore");
    if (stdio[descriptor] === "ignore") stdio[descriptor] = nothing ??= openSync("/dev/null", "r");
  }
  return stdio;
}
