// The files that decide what a run does besides the ones it names: scripts that scripts run, and manifests.
import path from "node:path";
import { references, scriptEndings } from "../../base/references.ts";
import { namesIn } from "../../io/facts/contents.ts";
import type { Facts } from "../contract/ports.ts";
import { runsLater } from "../rules/run-later.ts";

const most = { files: 100, depth: 5 };

/** Real paths inside the workspace, the scripts themselves left out; the same state gives the same list. */
export function scriptClosure(scripts: readonly string[], facts: Facts): string[] {
  const found = new Set<string>(scripts);
  let level = [...scripts];
  for (let depth = 0; depth < most.depth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const script of level) {
      for (const file of named(script, facts)) {
        if (found.has(file) || found.size >= most.files) continue;
        found.add(file);
        next.push(file);
      }
    }
    level = next;
  }
  for (const script of scripts) found.delete(script);
  return [...found].toSorted();
}

/** Files that the text of a script names, from its own folder or from the workspace. */
function named(script: string, facts: Facts): string[] {
  const text = facts.text(script);
  if (text === undefined || text.includes("\0")) return [];
  const files = new Set<string>();
  for (const word of new Set(references(text))) {
    for (const folder of [path.dirname(script), facts.workspace]) {
      const file = fileOf(path.resolve(folder, word), facts);
      if (file !== undefined && file !== script) files.add(file);
    }
  }
  return [...files].toSorted();
}

function fileOf(absolute: string, facts: Facts): string | undefined {
  if (!absolute.startsWith(`${facts.workspace}/`)) return undefined;
  const folder = facts.path(path.dirname(absolute));
  if (folder.kind !== "folder") return undefined;
  for (const ending of scriptEndings) {
    const { real, kind } = facts.path(absolute + ending);
    if (kind === "file" && real.startsWith(`${facts.workspace}/`)) return real;
  }
  return undefined;
}

/** Files at the top of the workspace that what runs there obeys: manifests, locks, what names a registry. */
export function manifests(facts: Facts): string[] {
  const obeyed = namesIn(facts.workspace).filter((name) => runsLater(name));
  return realFiles(obeyed, facts);
}

/** Says where a remote of the repository lies. */
export const remotes = (facts: Facts): string[] => realFiles([".git/config"], facts);

function realFiles(names: readonly string[], facts: Facts): string[] {
  const files = names.map((name) => facts.path(path.join(facts.workspace, name)));
  return files.filter(({ kind }) => kind === "file").map(({ real }) => real);
}
