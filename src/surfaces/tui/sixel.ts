// A PNG as sixels, for terminals that draw these. Loaded once the terminal has said so.
import { PNG } from "pngjs";

interface Size {
  width: number;
  height: number;
}
interface Pixels extends Size {
  /** Red, green, blue and opacity of each. */
  data: Uint8Array;
}

/** A larger one would be held as so many bytes times four; of a side, each row costs time of its own. */
const mostPixels = 16_000_000;
const longestSide = 16_384;
const band = 6;
/** So many shades of each colour: 216 together, of the 256 that terminals have. */
const shades = 6;
/** Which of two shades a place gets, so that areas between them look even. */
const pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** Undefined: it cannot be read. It is made smaller until it fits, and never larger. */
export function sixelsOf(base64: string, own: Size, room: Size): { bytes: string; height: number } | undefined {
  if (!isBounded(own)) return undefined;
  let whole: Pixels;
  try {
    const bytes = Buffer.from(base64, "base64");
    const size = sizeIn(bytes);
    if (!size || !isBounded(size)) return undefined;
    whole = PNG.sync.read(bytes);
  } catch {
    return undefined;
  }
  const most = { width: room.width, height: Math.floor(room.height / band) * band };
  const scale = Math.min(1, most.width / whole.width, most.height / whole.height);
  const size = {
    width: Math.max(1, Math.floor(whole.width * scale)),
    height: Math.max(1, Math.floor(whole.height * scale)),
  };
  return { bytes: encoded(indexed(scaled(whole, size)), size), height: Math.ceil(size.height / band) * band };
}

const isBounded = ({ width, height }: Size): boolean =>
  Math.max(width, height) <= longestSide && width * height <= mostPixels;

const signatureLength = 8;

/**
 * What the library will make room for. Undefined where that cannot be known: it takes the last of several headers, and
 * unpacks an interlaced image without a limit.
 */
function sizeIn(bytes: Buffer): Size | undefined {
  let size: Size | undefined;
  // A chunk: how long its data is, its name, the data, a checksum.
  for (let at = signatureLength; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (name === "IEND") break;
    if (name !== "IHDR") continue;
    if (size || at + 25 > bytes.length || bytes[at + 20] !== 0) return undefined;
    size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
  }
  return size;
}

/** Each pixel is the mean of those that it stands for. */
function scaled(from: Pixels, { width, height }: Size): Pixels {
  if (from.width === width && from.height === height) return from;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = span(y, height, from.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = span(x, width, from.width);
      const sums = [0, 0, 0, 0];
      for (let row = top; row < bottom; row += 1)
        for (let column = left; column < right; column += 1)
          for (let part = 0; part < 4; part += 1)
            sums[part] = (sums[part] ?? 0) + (from.data[(row * from.width + column) * 4 + part] ?? 0);
      const count = (bottom - top) * (right - left);
      for (let part = 0; part < 4; part += 1) data[(y * width + x) * 4 + part] = Math.round((sums[part] ?? 0) / count);
    }
  }
  return { width, height, data };
}

function span(at: number, of: number, whole: number): [number, number] {
  const from = Math.floor((at * whole) / of);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * whole) / of))];
}

const transparent = 255;

/** The number of each pixel's colour. */
function indexed({ width, height, data }: Pixels): Uint8Array {
  const numbers = new Uint8Array(width * height);
  for (let at = 0; at < numbers.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const lift = ((pattern[(y % 4) * 4 + (x % 4)] ?? 0) + 0.5) / 16;
    const shade = (part: number) =>
      Math.min(shades - 1, Math.floor(((data[at * 4 + part] ?? 0) / 255) * (shades - 1) + lift));
    numbers[at] = (data[at * 4 + 3] ?? 0) < 128 ? transparent : (shade(0) * shades + shade(1)) * shades + shade(2);
  }
  return numbers;
}

function encoded(numbers: Uint8Array, { width, height }: Size): string {
  const colours = [...new Set(numbers)].filter((number) => number !== transparent);
  const percent = (shade: number) => Math.round((shade * 100) / (shades - 1));
  const palette = colours.map((number) => {
    const parts = [Math.floor(number / shades ** 2), Math.floor(number / shades) % shades, number % shades];
    return `#${number};2;${parts.map(percent).join(";")}`;
  });
  const bands: string[] = [];
  for (let top = 0; top < height; top += band) bands.push(bandOf(numbers, { width, height }, top));
  return `\x1bP0;1;0q"1;1;${width};${height}${palette.join("")}${bands.join("-")}\x1b\\`;
}

/** Six rows: for each colour, which of them it has in each column. */
function bandOf(numbers: Uint8Array, { width, height }: Size, top: number): string {
  const columns = new Map<number, Uint8Array>();
  for (let row = 0; row < Math.min(band, height - top); row += 1) {
    for (let x = 0; x < width; x += 1) {
      const number = numbers[(top + row) * width + x] ?? transparent;
      if (number === transparent) continue;
      let bits = columns.get(number);
      if (!bits) columns.set(number, (bits = new Uint8Array(width)));
      bits[x] = (bits[x] ?? 0) | (1 << row);
    }
  }
  return [...columns].map(([number, bits]) => `#${number}${runs(bits)}`).join("$");
}

/** The same several times is said once, with how often. */
function runs(bits: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bits.length; ) {
    let end = at + 1;
    while (end < bits.length && bits[end] === bits[at]) end += 1;
    const sign = String.fromCharCode(63 + (bits[at] ?? 0));
    text += end - at > 3 ? `!${end - at}${sign}` : sign.repeat(end - at);
    at = end;
  }
  return text;
}
