// What a sandbox is asked for and what it gives.
import type { PassedText } from "../files/passed-text.ts";
import type { Unlinked } from "../files/unlinked.ts";

export interface SandboxSpec {
  /** Real path; writable unless `readOnly`. */
  workspace: string;
  /** For commands that were judged to change nothing. */
  readOnly?: boolean;
  cwd: string;
  /** Where the workspace's layers are mounted, which are shown in its place (io/layers). Masks of files are one of them. */
  layered?: string;
  /** Folders of a read-only workspace that are writable, each by a layer that is mounted at `from` (io/layers). */
  overlaid?: readonly { from: string; to: string }[];
  /** Files of a read-only workspace that are writable; each exists, and no link leads to it. */
  openedFiles?: readonly string[];
  /** More writable folders, the private temporary folder among them. */
  writable: string[];
  /** The folder that is seen as /tmp; one of `writable`, and no program can replace it (io/sandbox/scratch.ts). */
  scratch?: string;
  /** More that is seen as it is, from where nothing else is. */
  readable?: string[];
  /** Files and folders of elsewhere that a person let this command read: real paths, opened without following links. */
  shown?: readonly string[];
  /** Folders of elsewhere that are seen, read-only, at a place inside of the workspace. */
  lent?: readonly { from: string; to: string }[];
  /** Files and folders to be seen empty; only existing ones matter. */
  masked: string[];
  /** Files to be seen at the place of others, read-only. Sources lie where no program writes. */
  standIns?: readonly { path: string; source: string }[];
  /** Loopback ports of the process's own network that fettle serves (io/net/egress.ts); false: none, and no way out. */
  network: false | readonly number[];
  /** Joined in place of a network of its own (io/sandbox/room.ts); not with `network`. */
  room?: OpenRoom;
  /** True only for git commands that the gate judged. */
  gitWritable: boolean;
  /** With `gitWritable`: folders of the workspace whose own `.git` folder they work in, besides the one at the top. */
  gitIn?: readonly string[];
  /** fettle's own folders: seen empty. */
  own: string[];
  /** What the command alone gets of variables, over those of the ProcessSpec (variables.ts). */
  variables?: Readonly<Record<string, string>>;
}

/** Held open by files of this process. */
export interface OpenRoom {
  nsenter: string;
  /** Of its user and its network namespace. */
  files: readonly string[];
  close(): void;
}

/** With `network` the ProcessSpec needs `onDoor`. `inherit` and `contained` belong into the ProcessSpec; without `inherit` the command does not start. */
interface Wrapped {
  argv: string[];
  inherit: (string | Unlinked | PassedText)[];
  contained: boolean;
  /** With `layered` or `overlaid`: where in `argv` the words belong that mount the layers. */
  layerAt?: number;
  cleanup(): void;
}

export interface Sandbox {
  name: "bubblewrap" | "seatbelt" | "none";
  /** Never tried on the system that it is for. */
  experimental?: true;
  detail: string;
  remedy?: string;
  wrap(argv: readonly string[], spec: SandboxSpec): Wrapped;
  /** Where commands have networks of their own: one that several may share. Throws when there cannot be one. */
  openRoom?(): Promise<OpenRoom>;
}
