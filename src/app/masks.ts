// Sensitive files of the workspace, which grants below L2 must not see.
import { readdirSync } from "node:fs";
import path from "node:path";
import { holdsSecrets } from "../guard/assess/sensitive.ts";
import type { MaskedFile } from "../io/layers/spec.ts";
import type { Facts } from "../guard/ports.ts";

/** A tree of dependencies holds no secrets of the person and may be huge. */
const skipped = new Set(["node_modules", ".git", "target", "dist", "build", ".venv", "venv", "__pycache__", ".fettle"]);
const mostEntries = 20_000;

/** Calls that start together share one look; what is older than this is looked up again. */
const freshMs = 100;

/** The sensitive files of now, for grant after grant. */
export function sensitiveFiles(facts: Facts): () => readonly MaskedFile[] {
  let found: MaskedFile[] = [];
  let at = Number.NEGATIVE_INFINITY;
  // What a path is depends on nothing but its name, and most names stay from look to look.
  const judged = new Map<string, boolean>();
  const isSensitive = (file: string): boolean => {
    const known = judged.get(file) ?? holdsSecrets(file, facts);
    judged.set(file, known);
    return known;
  };
  return () => {
    const now = performance.now();
    if (now - at > freshMs) {
      found = findSensitive(facts.workspace, isSensitive).map((file) => ({ path: file }));
      at = performance.now();
    }
    return found;
  };
}

/** Absolute paths; looks at names only, breadth first, at most 20,000 entries (the firewall still redacts what lies deeper). */
function findSensitive(workspace: string, isSensitive: (file: string) => boolean): string[] {
  const found: string[] = [];
  const folders = [workspace];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined && seen < mostEntries; folder = folders.shift()) {
    for (const entry of entriesOf(folder)) {
      seen += 1;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) folders.push(file);
      } else if (isSensitive(file)) found.push(file);
    }
  }
  return found;
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch (error) {
    // Gone or unreadable meanwhile: what we cannot list, a command under the same user cannot list either.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });
