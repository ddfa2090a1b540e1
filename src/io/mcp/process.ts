// The process of an MCP server: lines go in, lines come out, what it says on stderr is its log.
import { StringDecoder } from "node:string_decoder";
import type { Writable } from "node:stream";
import { launch } from "../process/run.ts";
import type { ProcessSpec } from "../process/spec.ts";
import type { McpProcess } from "./spec.ts";

/** One message; what is longer is no answer that anybody could use. */
const longestLine = 16 * 1024 * 1024;
/** A server ends after this, however it behaves. */
const longestMs = 24 * 60 * 60 * 1000;
const closingMs = 2_000;

type Spec = Omit<ProcessSpec, "timeoutMs" | "head" | "tail" | "spillLimit" | "converse" | "stdin">;

/** Starts it at once. `finish` is called when it has ended. */
export function startServer(spec: Spec, log: (text: string) => void, finish: () => void): McpProcess {
  const stop = new AbortController();
  const { promise: opened, resolve: open } = Promise.withResolvers<Writable | undefined>();
  const lines = new Lines();
  const errors = new StringDecoder("utf8");
  const ended = launch(
    {
      ...spec,
      ...{ timeoutMs: longestMs, head: 0, tail: 0, spillLimit: 0 },
      converse(streams) {
        streams.errors.on("error", () => undefined);
        streams.errors.on("data", (chunk: Buffer) => log(errors.write(chunk)));
        open(streams.input);
      },
    },
    stop.signal,
    (chunk) => {
      if (lines.push(chunk)) return;
      lines.end(`It sent a message of more than ${longestLine / 1024 / 1024} MB.`);
      stop.abort();
    },
  ).then((exit) => {
    finish();
    open(undefined);
    lines.end(exit.problem ?? endedText(exit));
  });
  return {
    async send(line) {
      const input = await opened;
      if (!input?.writable) throw new Error("the server has ended");
      await new Promise<void>((resolve, reject) => {
        input.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    listen: (on) => lines.listen(on),
    async close() {
      // What the protocol asks of a client: the end of the input first, then signals.
      (await Promise.race([opened, Promise.resolve(undefined)]))?.end();
      const timer = setTimeout(() => stop.abort(), closingMs);
      timer.unref();
      await ended;
      clearTimeout(timer);
    },
  };
}

function endedText({ code, signal, ended }: { code: number | null; signal: string | null; ended: string }): string {
  if (ended === "stopped") return "It was ended.";
  if (ended === "exceeded") return "It used more of the machine than it may.";
  return signal === null ? `It ended by itself, with exit code ${code ?? "unknown"}.` : `It was ended by ${signal}.`;
}

/** Whole lines out of chunks; what came before anybody listens is kept. */
class Lines {
  #pieces: Buffer[] = [];
  #size = 0;
  #on: Parameters<McpProcess["listen"]>[0] | undefined;
  #waiting: string[] = [];
  #why: string | undefined;

  /** False: a line is too long. */
  push(chunk: Buffer): boolean {
    if (this.#why !== undefined) return true;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return this.#size <= longestLine;
  }

  listen(on: Parameters<McpProcess["listen"]>[0]): void {
    this.#on = on;
    for (const line of this.#waiting.splice(0)) on.line(line);
    if (this.#why !== undefined) on.ended(this.#why);
  }

  end(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#pieces = [];
    this.#on?.ended(why);
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  #line(): void {
    const text = Buffer.concat(this.#pieces).toString("utf8").trimEnd();
    this.#pieces = [];
    this.#size = 0;
    if (text === "") return;
    if (this.#on) this.#on.line(text);
    else this.#waiting.push(text);
  }
}
