// NN-RESEARCH.md and the research of a new project: what sections they need, and the questions that are left open.
import { blockOf, itemsOf, oneLine, type Section, sectionNamed, sectionsOf, titleOf } from "./sections.ts";

export interface ResearchForm {
  /** Titles, as they begin; each has to be there and to say something. */
  needed: readonly string[];
}

export const projectResearch: Readonly<
  Record<"STACK" | "FEATURES" | "ARCHITECTURE" | "PITFALLS" | "SUMMARY", ResearchForm>
> = {
  STACK: { needed: ["Recommended Stack", "Alternatives Considered", "What NOT to Use", "Sources"] },
  FEATURES: { needed: ["Table Stakes", "Differentiators", "Anti-Features", "Feature Dependencies", "Sources"] },
  ARCHITECTURE: { needed: ["System Overview", "Components", "Data Flow", "Build Order", "Sources"] },
  PITFALLS: { needed: ["Critical Pitfalls", "Technical Debt", "Phase Mapping", "Sources"] },
  SUMMARY: {
    needed: [
      "Executive Summary",
      "Key Findings",
      "Implications for Roadmap",
      "Confidence Assessment",
      "Gaps to Address",
    ],
  },
};

export const phaseResearch: ResearchForm = {
  needed: [
    "Summary",
    "Standard Stack",
    "Architecture Patterns",
    "Common Pitfalls",
    "Validation Architecture",
    "Open Questions",
    "Sources",
  ],
};

/** What is wrong with an answer that should have this form, as it would be written; empty where nothing is. */
export function formProblems(text: string, { needed }: ResearchForm): string[] {
  const all = sectionsOf(researchText("-", text, ""), 3);
  return needed.flatMap((title) => {
    const found = sectionNamed(all, title);
    if (!found) return [`the section "## ${title}" is missing`];
    return found.body.trim() === "" ? [`the section "## ${title}" is empty`] : [];
  });
}

export const formText = ({ needed }: ResearchForm): string => needed.map((title) => `## ${title}`).join("\n");

/** Of an answer that is one block of code, what is in it; without a head. */
function answerText(text: string): string {
  const whole = text.replace(/\r\n?/g, "\n").trim();
  const [, inside] = /^```(?:markdown|md)?\n([\s\S]*)\n```$/.exec(whole) ?? [];
  return (inside ?? whole).replace(/^---\n[\s\S]*?\n---\n/, "").trim();
}

/** The answer as a document: its title is fettle's, and its headings keep their depth. */
export function researchText(title: string, answer: string, at: string): string {
  const all = sectionsOf(answerText(answer), 6);
  // One heading above everything else is the answer's own title; several of them are its sections.
  const [first, ...rest] = all;
  const own = first?.level === 1 && rest.length > 0 && rest.every(({ level }) => level > 1) ? rest : all;
  const top = Math.min(...own.map(({ level }) => level), 6);
  const parts = own.flatMap((section) => {
    const level = Math.max(2, section.level - top + 2);
    const body = blockOf(bodyAlone(section));
    return [`${"#".repeat(Math.min(6, level))} ${titleOf(section.title)}`, "", ...(body === "" ? [] : [body, ""])];
  });
  return [`# ${titleOf(title)}`, "", `**Researched:** ${at.slice(0, 10)}`, "", ...parts].join("\n");
}

function bodyAlone({ body }: Section): string {
  const first = sectionsOf(body, 6)[0];
  return first
    ? body
        .split("\n")
        .slice(0, first.line - 1)
        .join("\n")
    : body;
}

export interface OpenQuestion {
  question: string;
  /** As the file has it, with what stands below it. */
  text: string;
}

/** Those that carry no RESOLVED; a section that is marked as resolved has none. */
export function openQuestions(text: string): OpenQuestion[] {
  const section = sectionsOf(text, 3).find(({ title }) => /^open questions\b/i.test(title));
  if (!section || /\(RESOLVED\)\s*$/i.test(section.title)) return [];
  const items = itemsOf(section.body);
  const left = items.filter((item) => !/\bRESOLVED\b/.test(item));
  if (items.length > 0)
    return left.map((item) => ({ question: oneLine((item.split("\n")[0] ?? "").replaceAll("**", "")), text: item }));
  // Prose is a question, too, unless it says that there is none.
  const said = oneLine(section.body);
  return said === "" || /^[_*(]*(?:none|nothing|no open questions|n\/a)\b/i.test(said)
    ? []
    : [{ question: said, text: section.body }];
}

/** The file with each of these questions marked as resolved; everything else stays byte for byte. */
export function resolved(text: string, answers: ReadonlyMap<string, string>): string {
  const all = sectionsOf(text, 3);
  const section = all.find(({ title }) => /^open questions\b/i.test(title));
  if (!section) return text;
  const lines = text.split("\n");
  const end = (all.find(({ line }) => line > section.line)?.line ?? lines.length + 1) - 1;
  let left = openQuestions(text).length;
  for (let at = section.line; at < end; at += 1) {
    const line = lines[at] ?? "";
    const item = /^(?:[-*]|\d+[.)])\s+(.*?)\r?$/.exec(line)?.[1];
    const answer = item === undefined ? undefined : answers.get(oneLine(item.replaceAll("**", "")));
    if (answer === undefined) continue;
    const back = line.endsWith("\r") ? "\r" : "";
    lines[at] = `${line.trimEnd()} — RESOLVED: ${oneLine(answer)}${back}`;
    left -= 1;
  }
  const heading = lines[section.line - 1] ?? "";
  if (left === 0)
    lines[section.line - 1] = heading.replace(/\s*\r?$/, (tail) => ` (RESOLVED)${tail.includes("\r") ? "\r" : ""}`);
  return lines.join("\n");
}
