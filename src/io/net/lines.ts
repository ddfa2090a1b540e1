import type { Readable } from "node:stream";
import { anyError, withFallback } from "../../base/fallback.ts";
import { NetFailure } from "./failure.ts";

// The body is left open when a reader stops early: `release` decides what becomes of its connection.
const chunksOf = (body: Readable): AsyncIterable<Buffer> => body.iterator({ destroyOnReturn: false });

/** Counts the bytes of a line as they come. */
export class LineLength {
  /** An image in an answer has some MB. */
  static readonly longest = 64_000_000;
  #bytes = 0;

  /** What is wrong with a line that does not end. */
  add(chunk: Uint8Array): NetFailure | undefined {
    const end = chunk.lastIndexOf(10);
    this.#bytes = end < 0 ? this.#bytes + chunk.length : chunk.length - end - 1;
    const endless = this.#bytes > LineLength.longest;
    return endless ? new NetFailure("too-large", "The answer has a line without end.") : undefined;
  }
}

/** The lines of a body, those together that came together. A last one without its end counts if it is whole; half a line was cut off. */
async function* everyLine(body: Readable): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  const length = new LineLength();
  let rest = "";
  for await (const chunk of chunksOf(body)) {
    const endless = length.add(chunk);
    if (endless) throw endless;
    const text = decoder.decode(chunk, { stream: true });
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = rest + text.slice(start, end);
      lines.push(line.endsWith("\r") ? line.slice(0, -1) : line);
      rest = "";
      start = end + 1;
    }
    rest += text.slice(start);
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest && isWhole(rest.replace(/^data: ?/, ""))) yield [rest];
}

const isWhole = (text: string): boolean =>
  withFallback(false, anyError, () => text === "[DONE]" || JSON.parse(text) !== undefined);

/** One JSON value a line, without empty lines; those together that came together. */
export async function* linesOf(body: Readable): AsyncGenerator<string[]> {
  for await (const lines of everyLine(body)) yield lines.filter((line) => line.trim() !== "");
}

/** The data of server-sent events, those together that came together. A last event without its empty line counts. */
export async function* eventsOf(body: Readable): AsyncGenerator<string[]> {
  let data: string[] = [];
  for await (const lines of everyLine(body)) {
    const events: string[] = [];
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push(data.join("\n"));
        data = [];
      } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    }
    if (events.length > 0) yield events;
  }
  if (data.length > 0) yield [data.join("\n")];
}
