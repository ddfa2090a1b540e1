// The daemon's places in the state folder, and what is said over its socket: a line of JSON each way.
import path from "node:path";
import type { DaemonStatus } from "../../protocol/daemon.ts";

export interface DaemonPlaces {
  folder: string;
  socket: string;
  projects: string;
  log: string;
}

export function daemonPlaces(state: string): DaemonPlaces {
  const folder = path.join(state, "daemon");
  const inside = (name: string) => path.join(folder, name);
  return { folder, socket: inside("socket"), projects: inside("projects.json"), log: inside("log") };
}

/** `reload`: the list of projects has changed. */
export type DaemonAsk = "status" | "reload" | "stop";
export type DaemonReply = Omit<DaemonStatus, "running">;
