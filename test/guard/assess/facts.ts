import { fixedFacts } from "../../../src/guard/explain.ts";
import type { Facts, PathFact } from "../../../src/guard/contract/ports.ts";
import { assess } from "../../../src/guard/assess/assess.ts";
import type { Assessment } from "../../../src/protocol/effect.ts";

interface World {
  files?: Record<string, string>;
  folders?: string[];
  links?: Record<string, string>;
  hardLinked?: string[];
}

/** A machine that is the same everywhere: the tables' programs are installed, only the named files exist. */
export function worldOf({ files = {}, folders = [], links = {}, hardLinked = [] }: World = {}): Facts {
  const base = fixedFacts("/w");
  const existing = new Set(["/", "/w", "/etc", "/home/u", ...folders]);
  const fact = (absolute: string): PathFact => {
    const real = links[absolute] ?? absolute;
    if (existing.has(real)) return { real, kind: "folder", links: 2, size: 0 };
    if (real in files) return { real, kind: "file", links: hardLinked.includes(real) ? 2 : 1, size: 1 };
    return { real, kind: "missing", links: 0, size: 0 };
  };
  return {
    ...base,
    workspace: "/w",
    home: "/home/u",
    temporary: "/home/u/.cache/fettle/tmp",
    own: ["/home/u/.local/state/fettle", "/home/u/.config/fettle"],
    path: fact,
    below: (absolute) =>
      Object.keys(files).flatMap((file) => (file.startsWith(`${absolute}/`) ? [file.slice(absolute.length + 1)] : [])),
    text: (absolute) => files[links[absolute] ?? absolute],
    systemProgram: (name) => (base.systemProgram(name) ? `/usr/bin/${name}` : undefined),
  };
}

export const plainWorld = worldOf();

/** `⏎` stands for a line break, so that a command fits a line of a corpus file. */
export const judge = (command: string, facts: Facts = plainWorld): Assessment =>
  assess({ kind: "shell", command: command.replaceAll("⏎", "\n"), background: false }, facts);

export const riskOf = (command: string, facts?: Facts): string => judge(command, facts).risk;
