// Parsing behind a worker with limits: a text that takes too long or kills the worker is read without its grammar.
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ReadBatch, Text } from "./spec.ts";

/** Beside the built program it is one file (scripts/build.mjs). */
const built = new URL("index-worker.js", import.meta.url);
const ownWorker = (): URL => (existsSync(built) ? built : new URL("worker.ts", import.meta.url));

/** Of one text, from its beginning: loading the first grammar counts, too. */
const patienceMs = 2_500;
/** Until it says that it has begun: no text is to blame for a machine that is busy with others. */
const startMs = 30_000;
const mostMemoryMb = 160;

type Outcome = { batch: ReadBatch } | { at: number | undefined; why: string };
type Told = { begun: number } | { batch: ReadBatch } | { failed: string };

export interface ParsingOptions {
  worker?: URL;
  patienceMs?: number;
}

/** One batch at a time. */
export class Parsing {
  readonly #options: ParsingOptions;
  #worker: Worker | undefined;
  #told: (told: Told) => void = () => undefined;
  /** Documents whose grammar failed, and why. */
  readonly failed = new Map<number, string>();

  constructor(options: ParsingOptions = {}) {
    this.#options = options;
  }

  /** Answers for every text, whatever it does to the parser. Rejects when the worker cannot even begin. */
  async read(texts: readonly Text[]): Promise<ReadBatch> {
    let left = [...texts];
    let idle = 0;
    for (;;) {
      const outcome = await this.#once(left);
      if ("batch" in outcome) return outcome.batch;
      const { at, why } = outcome;
      if (at === undefined && ++idle > 1) throw new Error(`The parser does not start: ${why}`);
      const culprit = left.find(({ document }) => document === at);
      if (!culprit) continue;
      this.failed.set(culprit.document, why);
      // Without a grammar it is only its words; if these fail, too, it is not read at all.
      const next = culprit.grammar === undefined ? { ...culprit, text: "" } : { ...culprit, grammar: undefined };
      left = left.map((each) => (each === culprit ? next : each));
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #once(texts: readonly Text[]): Promise<Outcome> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve) => {
      let at: number | undefined;
      let timer: NodeJS.Timeout | undefined;
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        this.#told = () => undefined;
        if (!("batch" in outcome)) {
          this.#worker = undefined;
          void worker.terminate();
        }
        resolve(outcome);
      };
      const patience = this.#options.patienceMs ?? patienceMs;
      const wait = (ms = patience) => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ at, why: `it took longer than ${ms} ms` }), ms);
      };
      this.#told = (told) => {
        if ("begun" in told) {
          at = told.begun;
          wait();
        } else if ("batch" in told) end(told);
        else end({ at, why: told.failed });
      };
      wait(this.#options.patienceMs ?? startMs);
      worker.postMessage(texts);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker ?? ownWorker(), {
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb, maxYoungGenerationSizeMb: 16 },
      execArgv: [],
    });
    const told = (what: Told) => {
      if (worker === this.#worker) this.#told(what);
    };
    worker.on("message", told);
    worker.on("error", (error) => told({ failed: error.message }));
    worker.on("exit", (code) => told({ failed: `the parser ended with ${code}` }));
    worker.unref();
    return worker;
  }
}
