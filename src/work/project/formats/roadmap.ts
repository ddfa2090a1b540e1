// ROADMAP.md: a list of phases with boxes, and a section for each phase.
import { boldField, proseLines } from "./lines.ts";
import { splitPhase } from "./phase-number.ts";
import { requirementIds } from "./requirements.ts";

export interface RoadmapPhase {
  number: string;
  name: string;
  ticked: boolean;
  /** Folded away with a milestone that is shipped. */
  shipped: boolean;
  line: number;
  goal?: string;
  dependsOn?: string;
  requirements: string[];
}

const listed = /^\s*[-*]\s+\[([ xX])\]\s+\*{0,2}Phase\s+([\w.-]+?)\s*:\s*(.*)$/;
const headed = /^#{2,4}\s+(?:[^\w\s]+\s*)?Phase\s+([\w.-]+?)\s*:\s*(.*)$/;

/** `twice`: sections of a number that has one already. */
export function parseRoadmap(text: string): { phases: RoadmapPhase[]; twice: { number: string; line: number }[] } {
  const phases = new Map<string, RoadmapPhase>();
  const sections = new Set<string>();
  const twice: { number: string; line: number }[] = [];
  let open: RoadmapPhase | undefined;
  let shipped = false;
  const phaseOf = (given: string, name: string, line: number): RoadmapPhase | undefined => {
    const number = splitPhase(given)?.number;
    if (number === undefined) return undefined;
    const known = phases.get(number);
    if (known) {
      known.shipped ||= shipped;
      return known;
    }
    const made: RoadmapPhase = { number, name: plain(name), ticked: shipped, shipped, line, requirements: [] };
    phases.set(number, made);
    return made;
  };
  for (const { number: line, text: words } of proseLines(text)) {
    // Milestones that are shipped are folded away, often without boxes.
    if (words.includes("<summary>")) shipped = /SHIPPED|✅/i.test(words);
    if (words.includes("</details>")) shipped = false;
    const [, tick, given, rest = ""] = listed.exec(words) ?? [];
    if (tick !== undefined && given !== undefined) {
      const phase = phaseOf(given, rest.split("**", 1)[0] ?? "", line);
      if (phase) phase.ticked ||= tick !== " ";
      continue;
    }
    const [, heading, name = ""] = headed.exec(words) ?? [];
    if (heading !== undefined) {
      open = phaseOf(heading, name, line);
      if (open && sections.has(open.number)) twice.push({ number: open.number, line });
      else if (open) sections.add(open.number);
    } else if (/^#{1,4}\s/.test(words)) open = undefined;
    else if (open) takeField(open, words);
  }
  return { phases: [...phases.values()], twice };
}

function takeField(phase: RoadmapPhase, line: string): void {
  const field = boldField(line);
  if (field?.key === "goal") phase.goal ??= field.value;
  if (field?.key === "depends on") phase.dependsOn ??= field.value;
  if (field?.key === "requirements") phase.requirements.push(...requirementIds(field.value));
}

const plain = (name: string): string =>
  name
    .replaceAll("**", "")
    .replace(/\s*\(INSERTED\)\s*$/i, "")
    .trim();
