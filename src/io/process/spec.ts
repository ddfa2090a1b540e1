import type { Server } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { LayerSource, RunLayer, WriteReport } from "../layers/spec.ts";
import type { Reached } from "../net/egress.ts";
import type { Exceeded, ResourceLimits } from "./limits.ts";
import type { PassedText } from "../files/passed-text.ts";
import type { Unlinked } from "../files/unlinked.ts";

/** Why a run is stopped, where it matters to the run: how long it may take from the request to end to the end by force. */
export interface Hurry {
  patienceMs: number;
}

export interface ProcessSpec {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Bytes kept from the start and from the end of the output; the middle goes to `spill` only. */
  head: number;
  tail: number;
  /** File that gets the full output once it exceeds head + tail; capped at `spillLimit` bytes. */
  spill?: string;
  spillLimit: number;
  /** Takes secrets out of what goes to `spill`. */
  redact?: (text: string) => string;
  onOutput?: (text: string) => void;
  stdin?: string;
  /** It is talked with while it runs: its input stays open, and what it prints to stderr comes apart. Not with `stdin`. */
  converse?: (streams: { input: Writable; errors: Readable }) => void;
  /** Opened for reading in the child as descriptors 3, 4, … (what `Sandbox.wrap` asks for); with `onDoor`, 4 is left out. */
  inherit?: readonly (string | Unlinked | PassedText)[];
  /** Gets the listening sockets that a first program hands over before the command starts (io/sandbox/network.ts). */
  onDoor?: (port: number, door: Server) => void;
  /** The whole tree ends with its first process (a PID namespace), so survivors need not be searched for. */
  contained?: boolean;
  /** `argv` ends with `[shell, "-c", text]`, and more texts may come for the same words before: see standby.ts. */
  repeats?: true;
  /** What it writes to the workspace lands in a layer, which comes with its exit; the words that mount it stand at `at`. */
  layer?: { source: LayerSource; at: number };
  /** What the whole tree may use of the machine; without it, anything. */
  limits?: ResourceLimits;
}

export interface ProcessExit {
  code: number | null;
  signal: string | null;
  /** Why it ended, when not by itself. */
  ended: "exited" | "timeout" | "stopped" | "exceeded" | "unstartable";
  /** What there was too much of: the run was ended for it, or the kernel ended a process of it. */
  exceeded?: Exceeded;
  /** stdout and stderr interleaved as they came; head, then a line that says how much was left out, then tail. */
  output: string;
  /** All of it, where `output` is folded and no file holds the rest: for programs that read a report, and never for a model. */
  unfolded?: string;
  bytes: number;
  /** Set when output was cut: handle for `Grant.spilled`. */
  spill?: string;
  /** It was cut, and the rest could not be kept. */
  lost?: true;
  /** Bytes from the start that could be kept there, when not all. */
  kept?: number;
  ms: number;
  /** After a timeout: the limit that was over. */
  limitMs?: number;
  /** What could not be restored or had to be put back after the run (git control files). */
  restoredControlFiles?: string[];
  /** What it wrote, where it ran on layers; whoever gets it closes it. */
  layer?: RunLayer;
  /** Where what it wrote went, where it ran on layers and wrote anything. */
  written?: WriteReport;
  /** Files that it could not see as they are, as far as no earlier result has named them; `partly`: without their secret values. */
  hidden?: { path: string; partly: boolean }[];
  /** A copy or an archive that it made holds them as it saw them. */
  copied?: true;
  /** Programs that it missed, and that are at places which the sandbox does not show. */
  unseen?: { name: string; place: string }[];
  /** It had a network of its own for its hosts, in which programs that were left running are not reached. Told once. */
  apart?: true;
  /** Hosts that it reached, and those it was kept from. */
  network?: Reached[];
}

export interface JobLook {
  job: Job;
  /** The end of what it has printed. */
  output: string;
  /** The first of the ports that were asked for at which somebody listens. */
  answering?: number;
  /** Ports at which somebody listens in a network that is the task's own; none where it is the machine's. */
  listening: number[];
}

export interface Job {
  id: string;
  command: string;
  state: "running" | "exited" | "killed";
  code?: number | null;
  startedAt: number;
  /** Ended with a stop, a rewind or a tightened mode: nobody has asked for just that. */
  stopped?: true;
  /** It sees the workspace and may not write to it. */
  readOnly?: true;
  /** Later commands share its network, and reach what it serves by loopback; false: it has one for its hosts. */
  reached?: boolean;
  /** Once it has ended: where what it wrote went. */
  written?: WriteReport;
}
