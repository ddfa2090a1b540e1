// Background processes of one session, each under a time cap; they end with the session.
import { StringDecoder } from "node:string_decoder";
import type { RunLayer, WriteReport } from "../layers/spec.ts";
import { Ring } from "./output.ts";
import { launch } from "./run.ts";
import type { Hurry, Job, ProcessSpec } from "./spec.ts";
import { Spill } from "./spill.ts";

const rememberedBytes = 256 * 1024;

interface Held {
  job: Job;
  ring: Ring;
  spill: Spill | undefined;
  decoder: StringDecoder;
  bytes: number;
  read: number;
  budget: number;
  stop: AbortController;
  done: Promise<void>;
}

export class UnknownJob extends Error {
  override readonly name = "UnknownJob";
}

/** What came since the last reading, at most head + tail bytes of it; `more` counts the bytes that were left out. */
export interface JobReading {
  job: Job;
  output: string;
  more: number;
}

interface JobAbout {
  /** As people read it. */
  command: string;
  /** It sees the workspace and may not write to it. */
  readOnly?: boolean;
  /** What becomes of what it has written to its layer; closes that. */
  settle?: (layer: RunLayer) => Promise<WriteReport | undefined>;
}

export class Jobs {
  private readonly held = new Map<string, Held>();
  private started = 0;
  private closed = false;

  start(spec: ProcessSpec, { command, readOnly, settle }: JobAbout, onEnd: (job: Job) => void): Job {
    if (this.closed) throw new Error("jobs were closed");
    const more = readOnly ? { readOnly: true as const } : {};
    const job: Job = { id: `job${++this.started}`, command, state: "running", startedAt: Date.now(), ...more };
    const stop = new AbortController();
    const held: Held = {
      job,
      ring: new Ring(rememberedBytes),
      spill: openSpill(spec),
      decoder: new StringDecoder("utf8"),
      bytes: 0,
      read: 0,
      budget: Math.min(rememberedBytes, Math.max(1024, spec.head + spec.tail)),
      stop,
      done: Promise.resolve(),
    };
    this.held.set(job.id, held);
    held.done = launch(spec, stop.signal, (chunk) => {
      held.bytes += chunk.length;
      held.ring.push(chunk);
      held.spill?.push(chunk);
    }).then(async (ended) => {
      if (ended.problem) note(held, ended.problem);
      held.spill?.close();
      const written = ended.layer && settle ? await settle(ended.layer) : ended.layer?.close();
      const state = ended.ended === "exited" ? "exited" : "killed";
      held.job = { ...held.job, state, code: ended.code, ...(written && { written }) };
      onEnd(held.job);
    });
    return job;
  }

  /** Throws UnknownJob. */
  read(id: string): JobReading {
    const held = this.find(id);
    const fresh = held.bytes - held.read;
    const kept = Math.min(fresh, held.budget);
    const all = held.ring.content();
    const left = fresh - kept;
    if (left > 0) held.decoder = new StringDecoder("utf8");
    let text = held.decoder.write(all.subarray(all.length - kept));
    if (held.job.state !== "running") text += held.decoder.end();
    held.read = held.bytes;
    const output = left > 0 ? `[… ${left} bytes left out …]\n${text.replace(/^\ufffd{1,3}/, "")}` : text;
    return { job: held.job, output, more: left };
  }

  /** The end of all that the job has printed, whoever has read it before. Throws UnknownJob. */
  peek(id: string): { job: Job; output: string } {
    const { job, ring } = this.find(id);
    return { job, output: ring.content().toString("utf8") };
  }

  /** File with everything that the job printed, up to the spill limit. Throws UnknownJob. */
  spill(id: string): string | undefined {
    return this.find(id).spill?.file;
  }

  /** Ends the job's whole tree and answers when it is gone. `stopped`: with all that is at work. Throws UnknownJob. */
  async kill(id: string, { stopped }: { stopped?: true } = {}): Promise<Job> {
    const held = this.find(id);
    if (stopped && held.job.state === "running") held.job = { ...held.job, stopped };
    held.stop.abort();
    await held.done;
    return held.job;
  }

  list(): Job[] {
    return [...this.held.values()].map((held) => held.job);
  }

  /** `hurry`: how long each may take to end in order. */
  async closeAll(hurry?: Hurry): Promise<void> {
    this.closed = true;
    for (const held of this.held.values()) held.stop.abort(hurry);
    await Promise.all([...this.held.values()].map((held) => held.done));
  }

  private find(id: string): Held {
    const held = this.held.get(id);
    if (!held) throw new UnknownJob(`There is no background job ${JSON.stringify(id)} in this session.`);
    return held;
  }
}

function openSpill(spec: ProcessSpec): Spill | undefined {
  return spec.spill === undefined ? undefined : Spill.open(spec.spill, spec);
}

function note(held: Held, sentence: string): void {
  const bytes = Buffer.from(sentence);
  held.bytes += bytes.length;
  held.ring.push(bytes);
}
