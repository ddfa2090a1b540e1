// The list of plans in a phase's section of ROADMAP.md, written where it stands; all other lines stay byte for byte.
import { inserted, joined, proseNumbers, type RawLine, rawLines } from "./raw-lines.ts";
import { splitPhase } from "./phase-number.ts";
import { oneLine } from "./sections.ts";

const headed = /^#{2,4}\s+(?:[^\w\s]+\s*)?Phase\s+([\w.-]+?)\s*:/;
const field = /^\s*(?:[-*]\s+)?\*\*Plans(?::\*\*|\*\*\s*:)/i;
const item = /^\s*[-*]\s+\[[ xX]\]\s/;

/** A phase without a section stays without one. */
export function withPlans(text: string, phase: string, plans: readonly { id: string; title: string }[]): string {
  const lines = rawLines(text);
  const heads = proseNumbers(lines).filter((at) => /^#{1,4}\s/.test(lines[at]?.text ?? ""));
  const start = heads.find((at) => splitPhase(headed.exec(lines[at]?.text ?? "")?.[1] ?? "")?.number === phase);
  if (start === undefined) return text;
  const end = heads.find((at) => at > start) ?? lines.length;
  const old = lines.findIndex(({ text: line }, at) => at > start && at < end && field.test(line));
  const from = old < 0 ? lastWords(lines, start, end) + 1 : old;
  const to = old < 0 ? from : listEnd(lines, old + 1, end);
  const ticked = new Set(
    lines.slice(from, to).flatMap(({ text: line }) => /\[[xX]\]\s+`?([\w.]+-\d+)/.exec(line)?.[1] ?? []),
  );
  const rows = plans.map(({ id, title }) => `- [${ticked.has(id) ? "x" : " "}] ${id}: ${oneLine(title)}`);
  const made = [`**Plans**: ${plans.length} ${plans.length === 1 ? "plan" : "plans"}`, "", "Plans:", ...rows];
  return joined(inserted([...lines.slice(0, from), ...lines.slice(to)], from, made));
}

function lastWords(lines: readonly RawLine[], start: number, end: number): number {
  let at = end - 1;
  while (at > start && lines[at]?.text.trim() === "") at -= 1;
  return at;
}

/** Behind the list that follows, with its title and the empty lines before it. */
function listEnd(lines: readonly RawLine[], from: number, end: number): number {
  let last = from;
  for (let at = from; at < end; at += 1) {
    const text = lines[at]?.text ?? "";
    if (item.test(text) || /^Plans:\s*$/i.test(text)) last = at + 1;
    else if (text.trim() !== "") break;
  }
  return last;
}
