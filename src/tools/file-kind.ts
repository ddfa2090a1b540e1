// What a file is, by its first bytes.

type FileKind =
  | { kind: "text" }
  | { kind: "image"; mime: string }
  /** `name` says what it is, where that is known. */
  | { kind: "binary"; name: string | undefined };

const images: { mime: string; matches(bytes: Uint8Array): boolean }[] = [
  { mime: "image/png", matches: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { mime: "image/jpeg", matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) },
  { mime: "image/gif", matches: (bytes) => ["GIF87a", "GIF89a"].some((magic) => startsWith(bytes, codes(magic))) },
  {
    mime: "image/webp",
    matches: (bytes) => startsWith(bytes, codes("RIFF")) && startsWith(bytes.subarray(8), codes("WEBP")),
  },
];

const binaries: [string, number[]][] = [
  ["ELF program", [0x7f, 0x45, 0x4c, 0x46]],
  ["ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
  ["gzip archive", [0x1f, 0x8b]],
  ["PDF document", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ["UTF-16 text; convert it with iconv", [0xff, 0xfe]],
  ["UTF-16 text; convert it with iconv", [0xfe, 0xff]],
  ["WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
];

const codes = (magic: string) => [...magic].map((character) => character.charCodeAt(0));
const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((code, index) => bytes[index] === code);

const sniffed = 8192;

export function fileKind(start: Uint8Array): FileKind {
  const image = images.find((each) => each.matches(start));
  if (image) return { kind: "image", mime: image.mime };
  const [name] = binaries.find(([, magic]) => startsWith(start, magic)) ?? [];
  if (name !== undefined || start.subarray(0, sniffed).includes(0)) return { kind: "binary", name };
  return { kind: "text" };
}
