import { plainOutput } from "../base/plain-output.ts";
import type { Grant } from "../guard/contract/grant.ts";
import { failure, notedParts, textResult } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { orFailure } from "./failure.ts";
import { fileKind } from "./file-kind.ts";
import { fields, optional, path, whole } from "./input.ts";
import prompt from "./read.md";
import { sizeText } from "./sizes.ts";
import { type ByteSource, readWindow, type TextWindow } from "./text-window.ts";
import { defineTool, ToolInputError } from "./tool.ts";

const mostLines = 1000;
const mostBytes = 24_000;
/** The rest of a file is shown, too, when it is no more than this part of what is. */
const little = 3 / 7;
const lineBytes = 2000;
const mostImageBytes = 5_000_000;
const sniffBytes = 64 * 1024;
const spillPrefix = "spill:";

const handleOf = (path: string) => (path.startsWith(spillPrefix) ? path.slice(spillPrefix.length) : undefined);

export const read = defineTool({
  name: "read",
  prompt,
  input: fields({
    path: path(),
    offset: optional(whole("", 0, ["start", "start_line", "line"])),
    limit: optional(whole("", 1, ["lines", "max_lines"])),
  }),
  parse({ path }) {
    const handle = handleOf(path);
    if (handle === "") throw new ToolInputError(`"spill:" must be followed by the handle that the cut result named.`);
    return handle === undefined ? { kind: "read", path } : { kind: "spill", handle };
  },
  run({ path, offset, limit }, grant, report) {
    return orFailure(grant, async () => {
      const source = handleOf(path) === undefined ? await fileSource(grant, path) : spillSource(grant);
      if ("result" in source) return source.result;
      const first = Math.max(1, offset ?? 1);
      const lines = Math.min(limit ?? mostLines, mostLines);
      const spec = { first, lines, bytes: mostBytes, lineBytes, ...(limit === undefined && { little }) };
      const window = await readWindow(source, spec, report.signal);
      return windowResult(path, { first, whole: window.lines.length === limit }, window);
    });
  },
});

/** The bytes of a text file; the whole result when it is an image or binary. */
async function fileSource(grant: Grant, path: string): Promise<ByteSource | { result: Result }> {
  const start = await grant.files.read(path, { limit: sniffBytes });
  const kind = fileKind(start.bytes);
  if (kind.kind === "image") return { result: await imageResult(grant, { path, mime: kind.mime, size: start.size }) };
  if (kind.kind === "binary") return { result: binaryResult(path, kind.name, start) };
  return {
    async read(offset, limit) {
      const range = offset === 0 ? start : await grant.files.read(path, { offset, limit });
      return { bytes: range.bytes, size: range.size, end: offset + range.bytes.length };
    },
  };
}

async function imageResult(grant: Grant, image: { path: string; mime: string; size: number }): Promise<Result> {
  const { path, mime, size } = image;
  if (size > mostImageBytes) {
    const text = `${path} is an image of ${sizeText(size)}; only images of at most ${sizeText(mostImageBytes)} can be shown.`;
    return failure("read.image-size", text, { params: { path } });
  }
  const { bytes } = await grant.files.read(path, { limit: mostImageBytes });
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return {
    status: "done",
    parts: [
      { type: "text", text: `${path}: ${mime}, ${sizeText(size)}` },
      { type: "image", mime, data },
    ],
  };
}

function binaryResult(path: string, name: string | undefined, start: { bytes: Uint8Array; size: number }): Result {
  const bytes = [...start.bytes.subarray(0, 32)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const what = name === undefined ? "binary" : `binary (${name})`;
  return textResult(`${path} is ${what}, ${sizeText(start.size)}; it starts with ${bytes}`, { code: "read.binary" });
}

/** Ranges of a spilled text are bytes, but come as text: a range that ends inside a character is asked for again. */
function spillSource(grant: Grant): ByteSource {
  const encoder = new TextEncoder();
  return {
    async read(offset, limit) {
      let end = offset + limit;
      let range = await grant.spilled({ offset, limit });
      for (let more = 1; more <= 3 && range.text.endsWith("\uFFFD") && end < range.size; more += 1) {
        end = offset + limit + more;
        range = await grant.spilled({ offset, limit: limit + more });
      }
      return { bytes: encoder.encode(range.text), size: range.size, end };
    },
  };
}

/** `whole`: all lines came that were asked for, so the model knows where it would go on. */
type Asked = { first: number; whole: boolean };

function windowResult(path: string, asked: Asked, window: TextWindow): Result {
  const { first } = asked;
  if (window.size === 0) return { status: "done", parts: notedParts("", ["(empty file)"]) };
  if (window.lines.length === 0) {
    const total = window.total ?? 0;
    return failure("read.offset", `${path} has ${total} lines; offset ${first} is behind its end.`);
  }
  const lines = handleOf(path) === undefined ? window.lines : window.lines.map(plainOutput);
  const parts = notedParts(lines.join("\n"), notes(asked, window));
  return { status: "done", params: { lines: lines.length }, parts };
}

function notes({ first, whole: asAsked }: Asked, window: TextWindow): string[] {
  const found: string[] = [];
  if (window.next !== undefined || first > 1) {
    const last = first + window.lines.length - 1;
    const whole = window.total === undefined ? `a text of ${sizeText(window.size)}` : `${window.total}`;
    const more = window.next === undefined || asAsked ? "" : `; go on with offset ${window.next}`;
    found.push(`[lines ${first}-${last} of ${whole}${more}]`);
  }
  if (window.lineEnds !== "lf") found.push(window.lineEnds === "crlf" ? "[CRLF line ends]" : "[mixed line ends]");
  if (window.byteOrderMark) found.push("[starts with a byte order mark]");
  if (window.invalid)
    found.push("[not valid UTF-8: \uFFFD stands for other bytes; change it with edit, not with write]");
  return found;
}
