import type { Readable } from "node:stream";

// The body is left open when a reader stops early: `release` decides what becomes of its connection.
const chunksOf = (body: Readable): AsyncIterable<Buffer> => body.iterator({ destroyOnReturn: false });

/** The lines of a body as they come; the last need not end in a newline. */
async function* everyLine(body: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(body)) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", start)) {
      yield rest.slice(start, rest[end - 1] === "\r" ? end - 1 : end);
      start = end + 1;
    }
    rest = rest.slice(start);
  }
  rest += decoder.decode();
  if (rest) yield rest;
}

/** One JSON value a line, without empty lines. */
export async function* linesOf(body: Readable): AsyncGenerator<string> {
  for await (const line of everyLine(body)) if (line.trim()) yield line;
}

/** The data of server-sent events. A last event without its empty line counts. */
export async function* eventsOf(body: Readable): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of everyLine(body)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  if (data.length > 0) yield data.join("\n");
}
