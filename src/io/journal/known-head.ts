// The newest entry that fettle wrote, kept apart from the ledger and its database: it shows when both were put back to an
// older state. Outside of the project's folder, one small file per project.
import { closeSync, constants, openSync, writeSync } from "node:fs";
import path from "node:path";
import { readRegular } from "../files/regular.ts";
import { makePrivateFolder } from "../places/places.ts";

export interface EntryName {
  seq: number;
  hash: string;
}

export interface KnownHead extends EntryName {
  /** The hash of the ledger's first entry: another ledger is not this one, however its entries are signed. */
  ledger?: string;
}

const width = 240;

/** `state`: the user's state folder. `project`: the name of the project's folder in it. */
export const knownHeadFile = (state: string, project: string): string =>
  path.join(state, "ledger-heads", `${project}.json`);

/** Undefined when there is none, or what is there names no entry. */
export function readKnownHead(file: string): KnownHead | undefined {
  try {
    const { seq, hash, ledger } = JSON.parse(readRegular(file)) as Partial<KnownHead>;
    if (typeof seq !== "number" || typeof hash !== "string") return undefined;
    return { seq, hash, ...(typeof ledger === "string" && { ledger }) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** One write of constant length in place: a killed process leaves the old content or the new one. */
export function writeKnownHead(file: string, { seq, hash, ledger }: KnownHead): void {
  const descriptor = opened(file);
  try {
    writeSync(descriptor, Buffer.from(`${JSON.stringify({ seq, hash, ledger }).padEnd(width)}\n`), 0, width + 1, 0);
  } finally {
    closeSync(descriptor);
  }
}

function opened(file: string): number {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    makePrivateFolder(path.dirname(file));
    return openSync(file, flags, 0o600);
  }
}
