// Images by their first bytes, whatever their name says; their metadata taken out, block by block. Nothing is decoded.
import type { TakenApart } from "./spec.ts";

type Block = { kind: string; from: number; to: number };

/** Undefined: it is none of the four kinds, or its blocks do not hold together. */
export function takenApart(bytes: Buffer): TakenApart | undefined {
  try {
    if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")))
      return without("image/png", bytes, png(bytes));
    if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return without("image/jpeg", bytes, jpeg(bytes));
    if (/^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))) return without("image/gif", bytes, gif(bytes));
    if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return webp(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Blocks in the order of the file. */
function without(mime: TakenApart["mime"], bytes: Buffer, blocks: readonly Block[]): TakenApart {
  const kept: Buffer[] = [];
  let at = 0;
  for (const { from, to } of blocks) {
    kept.push(bytes.subarray(at, from));
    at = to;
  }
  kept.push(bytes.subarray(at));
  const metadata = blocks.map(({ kind, from, to }) => ({
    kind,
    bytes: to - from,
    text: readable(bytes.subarray(from, to)),
  }));
  return { mime, bare: Buffer.concat(kept), metadata };
}

const rest = (bytes: Buffer, end: number): Block[] =>
  end < bytes.length ? [{ kind: "behind the end", from: end, to: bytes.length }] : [];

/** What an image needs to be seen as it is meant; every other kind of block goes. */
const pngKept = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "sBIT",
  "bKGD",
  "pHYs",
  "acTL",
  "fcTL",
  "fdAT",
]);

function png(bytes: Buffer): Block[] {
  const blocks: Block[] = [];
  let at = 8;
  while (true) {
    const to = at + 12 + bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (to > bytes.length) throw new RangeError("a block is longer than its file");
    if (!pngKept.has(kind)) blocks.push({ kind, from: at, to });
    at = to;
    if (kind === "IEND") return [...blocks, ...rest(bytes, at)];
  }
}

/** APP0 says how dense it is, APP14 how its colours are meant. */
const jpegKept = new Set([0xe0, 0xee]);

function jpeg(bytes: Buffer): Block[] {
  const blocks: Block[] = [];
  let at = 2;
  while (true) {
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError("no marker where one has to be");
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker === 0xd9) return [...blocks, ...rest(bytes, at + 2)];
    else {
      const to = at + 2 + bytes.readUInt16BE(at + 2);
      if (to > bytes.length) throw new RangeError("a block is longer than its file");
      const app = marker >= 0xe0 && marker <= 0xef && !jpegKept.has(marker);
      if (app || marker === 0xfe)
        blocks.push({ kind: marker === 0xfe ? "comment" : `APP${marker - 0xe0}`, from: at, to });
      at = marker === 0xda ? scanEnd(bytes, to) : to;
    }
  }
}

/** In what is drawn, 0xff is followed by 0, or by a mark to start again. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const next = bytes.readUInt8(at) === 0xff ? bytes.readUInt8(at + 1) : 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

function gif(bytes: Buffer): Block[] {
  const blocks: Block[] = [];
  const table = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));
  const past = (from: number) => {
    let at = from;
    while (bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1;
    return at + 1;
  };
  let at = 13 + table(bytes.readUInt8(10));
  while (true) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) return [...blocks, ...rest(bytes, at + 1)];
    if (kind === 0x2c) at = past(at + 11 + table(bytes.readUInt8(at + 9)));
    else if (kind === 0x21) {
      const label = bytes.readUInt8(at + 1);
      const to = past(at + 2);
      const loops = label === 0xff && bytes.toString("latin1", at + 3, at + 14) === "NETSCAPE2.0";
      if (label !== 0xf9 && !loops) blocks.push({ kind: label === 0xfe ? "comment" : "extension", from: at, to });
      at = to;
    } else throw new RangeError("no block where one has to be");
  }
}

const webpKept = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"]);

function webp(bytes: Buffer): TakenApart {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  const blocks: Block[] = [];
  for (let at = 12; at + 8 <= end; ) {
    const kind = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const to = at + 8 + size + (size % 2);
    if (to > bytes.length + 1) throw new RangeError("a block is longer than its file");
    if (!webpKept.has(kind)) blocks.push({ kind: kind.trim(), from: at, to: Math.min(to, bytes.length) });
    at = to;
  }
  const found = without("image/webp", bytes, [...blocks, ...rest(bytes, end)]);
  const { bare } = found;
  bare.writeUInt32LE(bare.length - 8, 4);
  // The head no longer announces a profile (0x20), EXIF (0x08) and XMP (0x04).
  if (bare.toString("latin1", 12, 16) === "VP8X") bare.writeUInt8(bare.readUInt8(20) & ~0x2c, 20);
  return found;
}

/** Runs of text, as a person would find them. */
const readable = (bytes: Buffer): string =>
  [...bytes.toString("utf8").matchAll(/[\p{L}\p{N}\p{P}\p{S} \t\n]{4,}/gu)]
    .map(([text]) => text.trim())
    .join(" ")
    .slice(0, 4_000);
