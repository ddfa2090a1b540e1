// Images without their metadata: whatever is put between the blocks of an image is taken out, and nothing else.
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { takenApart } from "../../../src/io/built-in/images/parts.ts";

const plainPng = PNG.sync.write(new PNG({ width: 3, height: 2 }));

function pngBlock(kind: string, data: Buffer): Buffer {
  const block = Buffer.alloc(12 + data.length);
  block.writeUInt32BE(data.length, 0);
  block.write(kind, 4, "latin1");
  data.copy(block, 8);
  block.writeUInt32BE(crc32(block.subarray(4, 8 + data.length)), 8 + data.length);
  return block;
}
function jpegBlock(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
const scan = Buffer.concat([
  jpegBlock(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([7, 0xff, 0, 9, 0xff, 0xd1, 3]),
]);
const jpegOf = (between: Buffer[], behind = Buffer.alloc(0)) =>
  Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), jpegBlock(0xe0, Buffer.from("JFIF\0")), ...between],
    ...[jpegBlock(0xc0, Buffer.alloc(9)), scan, Buffer.from([0xff, 0xd9]), behind],
  ]);
const webpOf = (chunks: [string, Buffer][]) => {
  const body = chunks.map(([kind, data]) => {
    const head = Buffer.alloc(8);
    head.write(kind, 0, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const whole = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), ...body]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
};
const gifHead = Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1");
const gifFrame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]);
const bytes = fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each));

test("property: what is put into a PNG beside its picture is taken out, and the rest is as it was", () => {
  const kinds = fc.constantFrom("tEXt", "iTXt", "zTXt", "eXIf", "tIME", "iCCP", "prVt");
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, bytes), { maxLength: 5 }), bytes, (blocks, behind) => {
      const carried = Buffer.concat(blocks.map(([kind, data]) => pngBlock(kind, data)));
      const found = takenApart(Buffer.concat([plainPng.subarray(0, 33), carried, plainPng.subarray(33), behind]));
      expect(found?.bare).toEqual(plainPng);
      expect(found?.metadata).toHaveLength(blocks.length + (behind.length > 0 ? 1 : 0));
    }),
  );
});

test("property: the same of a JPEG, whose drawn bytes are not taken for blocks", () => {
  const markers = fc.constantFrom(0xe1, 0xe2, 0xed, 0xef, 0xfe);
  fc.assert(
    fc.property(fc.array(fc.tuple(markers, bytes), { maxLength: 5 }), bytes, (blocks, behind) => {
      const found = takenApart(
        jpegOf(
          blocks.map(([marker, data]) => jpegBlock(marker, data)),
          behind,
        ),
      );
      expect(found?.mime).toBe("image/jpeg");
      expect(found?.bare).toEqual(jpegOf([]));
    }),
  );
});

test("GIF and WebP: comments, profiles and what announces them", () => {
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 5]), Buffer.from("hello"), Buffer.from([0])]);
  const found = takenApart(Buffer.concat([gifHead, comment, gifFrame, Buffer.from([0x3b])]));
  expect(found).toMatchObject({
    mime: "image/gif",
    metadata: [{ kind: "comment", text: expect.stringContaining("hello") }],
  });
  expect(found?.bare).toEqual(Buffer.concat([gifHead, gifFrame, Buffer.from([0x3b])]));
  const head = (flags: number) => Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const picture: [string, Buffer] = ["VP8L", Buffer.from([1, 2, 3])];
  const webp = takenApart(
    webpOf([["VP8X", head(0x3c)], picture, ["EXIF", Buffer.from("51.5N 0.1W")], ["XMP ", Buffer.from("by me")]]),
  );
  expect(webp?.bare).toEqual(webpOf([["VP8X", head(0x10)], picture]));
  expect(webp?.metadata.map(({ text }) => text).join()).toContain("51.5N 0.1W");
});

test("property: any bytes, and any image that was cut off or changed, end in an answer", () => {
  const images = fc.constantFrom(
    plainPng,
    jpegOf([]),
    webpOf([["VP8L", Buffer.alloc(4)]]),
    Buffer.concat([gifHead, gifFrame]),
  );
  fc.assert(
    fc.property(images, fc.nat(200), fc.tuple(fc.nat(200), fc.nat(255)), bytes, (image, length, [at, value], noise) => {
      const changed = Buffer.from(image.subarray(0, length));
      if (at < changed.length) changed[at] = value;
      for (const each of [changed, Buffer.concat([image.subarray(0, 12), noise]), noise])
        expect(["image/png", "image/jpeg", "image/gif", "image/webp", undefined]).toContain(takenApart(each)?.mime);
    }),
  );
});
