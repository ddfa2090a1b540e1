// Where the index of a folder lies.
import path from "node:path";
import { gitFolders } from "../../io/git/git-tips.ts";
import { sha256 } from "../../base/digest.ts";

/** Worktrees of one repository have one database, below the state folder. */
export function indexFile(state: string, root: string): string {
  const place = gitFolders(root)?.shared ?? root;
  const name = path.basename(place === root || path.basename(place) !== ".git" ? place : path.dirname(place));
  const digest = sha256(place).slice(0, 12);
  return path.join(state, "index", `${name.replace(/[^\w.-]/g, "_") || "root"}-${digest}`, "index.db");
}
