// What one command may use of the machine. The kernel counts where it lets fettle make a control group; else fettle does.
import os from "node:os";

export interface ResourceLimits {
  /** Megabytes that the processes of a run may hold together. */
  memoryMb: number;
  /** Processes and threads of a run. */
  processes: number;
  /** Largest file that a process may write, megabytes; 0 is any. */
  fileMb: number;
  /** Megabytes of disk that a run has to leave free. */
  freeDiskMb: number;
  /** auto: groups where this user was given some to manage. own: also as root, beside fettle's own group. */
  cgroup: "auto" | "own" | "off";
}

export type Exceeded = "memory" | "processes" | "disk";

/** Memory that this process can have at all: the machine's, or its container's. */
export function machineMemoryMb(): number {
  const constrained = process.constrainedMemory();
  const total = os.totalmem();
  return Math.floor((constrained > 0 && constrained < total ? constrained : total) / 2 ** 20);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Commands for the small shell that becomes the run. Should memory run out in spite of all, the kernel takes it before
 * anything of the person's. Address space is not limited: a JVM, a race detector or a sanitizer reserves more than it uses.
 */
export function limitingWords(limits: ResourceLimits | undefined, groups: readonly string[]): string {
  if (!limits) return "";
  const words = ["ulimit -c 0"];
  // Counted in half kilobytes, as POSIX has it.
  if (limits.fileMb > 0) words.push(`ulimit -f ${limits.fileMb * 2048}`);
  if (process.platform === "linux") words.push("echo 500 >/proc/self/oom_score_adj");
  words.push(...groups.map((folder) => `echo 0 >${quoted(folder)}/cgroup.procs`));
  return `${words.join("; ")}; `;
}
