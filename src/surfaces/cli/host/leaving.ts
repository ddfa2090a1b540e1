// The signals that ask a command to end, and the exit code that each of them stands for.
import { Exit } from "../../../protocol/exit.ts";
import type { CliHost } from "./host.ts";

/** Calls `leave` with the exit code of each signal, until the function that comes back is called. */
export function onLeaving(host: CliHost, leave: (code: number) => void): () => void {
  const releases = [
    host.onSignal("SIGINT", () => leave(Exit.interrupted)),
    host.onSignal("SIGTERM", () => leave(Exit.terminated)),
    host.onSignal("SIGHUP", () => leave(Exit.terminated)),
  ];
  return () => {
    for (const release of releases) release();
  };
}
