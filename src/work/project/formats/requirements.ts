// REQUIREMENTS.md: requirements with ids under headings (v1, v2, out of scope), and a table of which phase does which.
import { proseLines } from "./lines.ts";
import { splitPhase } from "./phase-number.ts";

export interface Requirement {
  id: string;
  text: string;
  section: string;
  ticked: boolean;
  line: number;
  phases: string[];
}

const idShape = /\b[A-Z][A-Z0-9]*-\d+\b/g;
const listed = /^\s*[-*]\s+\[([ xX])\]\s+\*{0,2}([A-Z][A-Z0-9]*-\d+)\*{0,2}\s*:?\*{0,2}\s*(.*)$/;

export const requirementIds = (text: string): string[] => text.match(idShape) ?? [];

export function parseRequirements(text: string): Requirement[] {
  const found = new Map<string, Requirement>();
  const phases = new Map<string, string[]>();
  let section = "";
  for (const { number: line, text: words } of proseLines(text)) {
    const heading = /^##\s+(.*)$/.exec(words)?.[1];
    if (heading !== undefined) section = heading.trim();
    const [, tick, id, what = ""] = listed.exec(words) ?? [];
    if (tick !== undefined && id !== undefined && !found.has(id)) {
      found.set(id, { id, text: what.trim(), section, ticked: tick !== " ", line, phases: [] });
    }
    if (words.trimStart().startsWith("|")) {
      const [, first = "", second = ""] = words.split("|").map((cell) => cell.trim());
      const phase = splitPhase(second.replace(/^Phase\s+/i, ""))?.number;
      if (phase !== undefined)
        for (const each of requirementIds(first)) {
          const known = phases.get(each);
          if (known) known.push(phase);
          else phases.set(each, [phase]);
        }
    }
  }
  for (const requirement of found.values()) requirement.phases = phases.get(requirement.id) ?? [];
  return [...found.values()];
}
