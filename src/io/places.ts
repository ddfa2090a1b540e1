// Where fettle keeps things: XDG folders, and one state folder per project, outside the workspace.
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Places {
  home: string;
  /** ~/.config/fettle */
  config: string;
  /** ~/.local/state/fettle: user-wide state (spend.db, key) */
  state: string;
  /** ~/.cache/fettle */
  cache: string;
}

/** State of one project; every folder is 0700. */
export interface ProjectPlaces {
  root: string;
  database: string;
  ledger: string;
  snapshots: string;
  spills: string;
}

export function places(env: NodeJS.ProcessEnv = process.env): Places {
  const home = env["HOME"] || os.homedir();
  const under = (variable: string, fallback: string) => path.join(env[variable] || path.join(home, fallback), "fettle");
  return {
    home,
    config: under("XDG_CONFIG_HOME", ".config"),
    state: under("XDG_STATE_HOME", ".local/state"),
    cache: under("XDG_CACHE_HOME", ".cache"),
  };
}

/** `workspace` must be a real path: the name of the state folder is its last part and a digest of the whole. */
export function projectPlaces(base: Places, workspace: string): ProjectPlaces {
  const digest = createHash("sha256").update(workspace).digest("hex").slice(0, 12);
  const name = path.basename(workspace).replace(/[^\w.-]/g, "_") || "root";
  const root = path.join(base.state, "projects", `${name}-${digest}`);
  return {
    root,
    database: path.join(root, "state.db"),
    ledger: path.join(root, "ledger"),
    snapshots: path.join(root, "snapshots.git"),
    spills: path.join(root, "spills"),
  };
}

/** Throws the file system's error when the folder cannot be made. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** The real path of an existing folder, else undefined. */
export function realFolder(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() ? realpathSync(folder) : undefined;
}
