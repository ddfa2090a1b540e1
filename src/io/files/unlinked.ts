// Opening a place that programs could have replaced by a link: the descriptor says where it really lies.
import { closeSync, constants, openSync } from "node:fs";
import { checkPlace } from "./folder.ts";

/** Linux only (asm-generic): a descriptor that says which file it is, and gives no right to read or write it. */
const pathOnly = 0o10000000;

/** A file or folder to be handed to a child: its path is its real one, no part of it a link. */
export interface Unlinked {
  unlinked: string;
}

/** Throws when any part of the path is a link at this moment. */
export function openUnlinked(file: string): number {
  const descriptor = openSync(file, pathOnly | constants.O_NOFOLLOW);
  try {
    checkPlace(descriptor, file);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
