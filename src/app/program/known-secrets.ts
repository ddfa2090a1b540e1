// Reads the files that are kept for secrets, so that the firewall knows their values again elsewhere.
import { readFileSync } from "node:fs";
import { classifyPath } from "../../guard/command-line/context/sensitive.ts";
import type { Known } from "../../guard/firewall/firewall.ts";
import { KnownSecrets } from "../../guard/firewall/known.ts";
import type { Facts } from "../../guard/contract/ports.ts";
import { statsOf } from "../../io/files/regular.ts";

/** Larger files are no lists of settings. */
const largest = 256 * 1024;
const mostFiles = 200;
/** Looking up which files there are takes milliseconds in a large workspace. */
const freshMs = 2000;

/** Read when something is first redacted, and again when one of the files has changed. */
export function knownSecrets(files: () => readonly { path: string }[], facts: Facts): Known {
  const secrets = new KnownSecrets();
  const seen = new Map<string, string>();
  let at = Number.NEGATIVE_INFINITY;
  const look = () => {
    for (const { path: file } of files().slice(0, mostFiles)) {
      const state = stateOf(file);
      if (state === undefined || seen.get(file) === state) continue;
      seen.set(file, state);
      const text = textOf(file);
      if (text !== undefined) secrets.learn(text, classifyPath(file, facts) === "env" ? "environment" : "ordinary");
    }
  };
  return {
    in(text) {
      if (performance.now() - at > freshMs) {
        look();
        at = performance.now();
      }
      return secrets.in(text);
    },
  };
}

function stateOf(file: string): string | undefined {
  const stats = statsOf(file);
  return stats?.isFile() && stats.size <= largest ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // Gone meanwhile, or not for us: then it is not for what runs as us either.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
