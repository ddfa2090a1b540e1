// Files of a worktree as they are now, committed or not.
import path from "node:path";
import { readBytes } from "../../../io/files/bytes.ts";
import { isThere } from "../../../io/folders/worktrees.ts";

export async function bytesIn(folder: string, file: string): Promise<Uint8Array | undefined> {
  const place = path.join(folder, file);
  return isThere(place) ? (await readBytes(place)).bytes : undefined;
}

export async function textIn(folder: string, file: string): Promise<string | undefined> {
  const bytes = await bytesIn(folder, file);
  return bytes && new TextDecoder().decode(bytes);
}
