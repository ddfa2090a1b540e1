// The tree that `git status` compares an index with: one that is near makes it quick, and any will do.
import path from "node:path";
import { textOf } from "../git/git.ts";
import { putFile, writeObject } from "./objects.ts";

/** Without one, git would print every file of the index. */
export const hasHead = (gitDir: string): boolean => /^[0-9a-f]{40}$/.test(textOf(path.join(gitDir, "HEAD")).trim());

export function setHead(gitDir: string, tree: string): void {
  const who = "fettle <> 0 +0000";
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\ncheckpoint\n`;
  putFile(path.join(gitDir, "HEAD"), `${writeObject(gitDir, "commit", Buffer.from(text))}\n`);
}
