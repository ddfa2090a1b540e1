// A text for a child alone: it comes by a descriptor, and stands in no list of processes and in no folder.
import { randomBytes } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface PassedText {
  text: string;
}

/** Its descriptor stands at the first byte. Nobody finds the file by a name. */
export function openPassedText(text: string): number {
  const file = path.join(os.tmpdir(), `fettle-${randomBytes(12).toString("hex")}`);
  const descriptor = openSync(file, "wx+", 0o600);
  try {
    unlinkSync(file);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
