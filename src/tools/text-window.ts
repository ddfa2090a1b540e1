// A window of lines of a text of any size, read by byte ranges: memory stays at one chunk.

export interface ByteSource {
  /** `end`: where the next range starts. */
  read(offset: number, limit: number): Promise<{ bytes: Uint8Array; size: number; end: number }>;
}

interface WindowSpec {
  /** First line, from 1. */
  first: number;
  lines: number;
  /** Bytes of all lines together; the first line is always shown. */
  bytes: number;
  /** Bytes of one line; the rest of it is left out. */
  lineBytes: number;
  /** What is left of the text is shown, too, when it has at most this part of the bytes shown. */
  little?: number;
}

export interface TextWindow {
  lines: string[];
  /** First line after the window; undefined at the end of the text. */
  next: number | undefined;
  /** All lines, when the end was in sight. */
  total: number | undefined;
  size: number;
  lineEnds: "lf" | "crlf" | "mixed";
  byteOrderMark: boolean;
  invalid: boolean;
}

const firstChunk = 64 * 1024;
const nextChunk = 1024 * 1024;
const newline = 10;

interface Scan {
  spec: WindowSpec;
  window: TextWindow;
  /** Number of the line that the next byte belongs to. */
  line: number;
  used: number;
  /** Shown lines that end in a newline, and those of them that end in `\r\n`. */
  ended: number;
  carriages: number;
  /** The line so far: kept bytes, and how many were left out. */
  kept: Uint8Array[];
  keptBytes: number;
  dropped: number;
  open: boolean;
}

/** `signal` is looked at between chunks. */
export async function readWindow(source: ByteSource, spec: WindowSpec, signal: AbortSignal): Promise<TextWindow> {
  const scan: Scan = {
    spec,
    window: {
      lines: [],
      next: undefined,
      total: undefined,
      size: 0,
      lineEnds: "lf",
      byteOrderMark: false,
      invalid: false,
    },
    line: 1,
    used: 0,
    ended: 0,
    carriages: 0,
    kept: [],
    keptBytes: 0,
    dropped: 0,
    open: false,
  };
  for (let offset = 0, limit = firstChunk; ; limit = nextChunk) {
    signal.throwIfAborted();
    const { bytes, size, end } = await source.read(offset, limit);
    scan.window.size = size;
    const last = bytes.length === 0 || end >= size;
    if (takeChunk(scan, offset === 0 ? withoutMark(scan, bytes) : bytes, last)) break;
    offset = end;
    if (last) {
      endText(scan);
      break;
    }
  }
  if (scan.carriages > 0) scan.window.lineEnds = scan.carriages === scan.ended ? "crlf" : "mixed";
  return scan.window;
}

function withoutMark(scan: Scan, bytes: Uint8Array): Uint8Array {
  scan.window.byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return scan.window.byteOrderMark ? bytes.subarray(3) : bytes;
}

/** True when the window is full. */
function takeChunk(scan: Scan, bytes: Uint8Array, last: boolean): boolean {
  let at = 0;
  while (at < bytes.length) {
    if (isFull(scan) && !(last && isLittle(scan, bytes.length - at))) {
      scan.window.next = scan.line;
      if (last) scan.window.total = scan.line - 1 + countLines(bytes, at);
      return true;
    }
    const found = bytes.indexOf(newline, at);
    const end = found < 0 ? bytes.length : found;
    if (scan.line >= scan.spec.first) keep(scan, bytes.subarray(at, end));
    scan.open = found < 0;
    if (found < 0) return false;
    if (scan.line >= scan.spec.first) scan.ended += 1;
    endLine(scan);
    at = found + 1;
  }
  return false;
}

const isFull = ({ window, spec, used, open }: Scan) =>
  !open && window.lines.length > 0 && (window.lines.length >= spec.lines || used >= spec.bytes);

const isLittle = ({ spec, used, window }: Scan, left: number) =>
  spec.little !== undefined && window.lines.length < spec.lines && left <= used * spec.little;

function keep(scan: Scan, bytes: Uint8Array): void {
  const room = Math.max(0, scan.spec.lineBytes - scan.keptBytes);
  const taken = bytes.slice(0, room);
  scan.kept.push(taken);
  scan.keptBytes += taken.length;
  scan.dropped += bytes.length - taken.length;
}

function endLine(scan: Scan): void {
  if (scan.line >= scan.spec.first) {
    const text = lineText(scan);
    scan.used += scan.keptBytes + 1;
    scan.window.lines.push(text);
  }
  scan.line += 1;
  scan.open = false;
  scan.kept = [];
  scan.keptBytes = 0;
  scan.dropped = 0;
}

function endText(scan: Scan): void {
  if (scan.open) endLine(scan);
  scan.window.total = scan.line - 1;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function lineText(scan: Scan): string {
  let bytes = scan.kept.length === 1 ? (scan.kept[0] ?? new Uint8Array()) : joined(scan);
  if (scan.dropped > 0) bytes = wholeCharacters(bytes);
  const decoded = decodeLine(bytes);
  if (decoded.invalid) scan.window.invalid = true;
  if (scan.dropped > 0) return `${decoded.text} … [${scan.dropped} more bytes in this line]`;
  if (!decoded.text.endsWith("\r")) return decoded.text;
  scan.carriages += 1;
  return decoded.text.slice(0, -1);
}

function decodeLine(bytes: Uint8Array): { text: string; invalid: boolean } {
  try {
    const text = strict.decode(bytes);
    return text.includes("\0") ? { text: text.replaceAll("\0", "\uFFFD"), invalid: true } : { text, invalid: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: lenient.decode(bytes).replaceAll("\0", "\uFFFD"), invalid: true };
  }
}

function joined(scan: Scan): Uint8Array {
  const all = new Uint8Array(scan.keptBytes);
  let at = 0;
  for (const piece of scan.kept) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Without a character that the cut has halved. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return (bytes[start] ?? 0) >= 0xc0 ? bytes.subarray(0, start) : bytes;
}

function countLines(bytes: Uint8Array, from: number): number {
  let count = 0;
  let at = from;
  while (at < bytes.length) {
    count += 1;
    const found = bytes.indexOf(newline, at);
    if (found < 0) break;
    at = found + 1;
  }
  return count;
}
