// Pictures that say less of themselves than they would take.
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { sixelsOf } from "../../../src/surfaces/tui/sixel.ts";

const one = { width: 1, height: 1 };
const shown = (bytes: Buffer) => sixelsOf(bytes.toString("base64"), one, { width: 60, height: 60 });
const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));
const [headerAt, headerEnd] = [8, 33];

test("a picture is measured by what is decoded, and one that hides its size is not drawn", () => {
  const small = png(1, 1);
  expect(shown(small)).toBeDefined();
  const header = small.subarray(headerAt, headerEnd);
  expect(shown(Buffer.concat([small.subarray(0, headerEnd), header, small.subarray(headerEnd)]))).toBeUndefined();
  expect(shown(png(1, 16_385)), "a long side").toBeUndefined();
  // Of one pixel, an interlaced image has the same data.
  const interlaced = Buffer.from(small);
  interlaced[headerAt + 20] = 1;
  interlaced.writeUInt32BE(crc32(interlaced.subarray(headerAt + 4, headerEnd - 4)), headerEnd - 4);
  expect(shown(interlaced), "interlaced").toBeUndefined();
});
