// The whole text of a file that is to be changed, byte for byte restorable.
import type { Grant } from "../guard/contract/grant.ts";
import { sizeText } from "./sizes.ts";
import { ToolProblem } from "./tool.ts";

const mostEditBytes = 20_000_000;

export interface FileText {
  text: string;
  /** Turns an edit of the file into the alphabet of `text`. */
  enter(piece: string): string;
  /** What to write for a changed text. */
  leave(changed: string): string | Uint8Array;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A file that is not UTF-8 is read as one character per byte, so that the bytes around an edit survive. */
export async function fileText(grant: Grant, path: string): Promise<FileText> {
  const { bytes, size } = await grant.files.read(path, { limit: mostEditBytes });
  if (size > bytes.length) {
    const most = sizeText(mostEditBytes);
    throw new ToolProblem("edit.size", `${path} has ${sizeText(size)}; files above ${most} are changed with shell.`);
  }
  try {
    return { text: strict.decode(bytes), enter: (piece) => piece, leave: (changed) => changed };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return {
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
      enter: (piece) => Buffer.from(piece, "utf8").toString("latin1"),
      leave: (changed) => new Uint8Array(Buffer.from(changed, "latin1")),
    };
  }
}
