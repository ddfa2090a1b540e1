// NN-CONTEXT.md: what was decided about a phase, each decision with its D-NN; NN-DISCUSSION-LOG.md: how it was decided.
import { blockOf, itemsOf, oneLine, rowsOf, sectionNamed, sectionsOf, table, titleOf } from "./sections.ts";

export interface ContextDecision {
  /** `D-01`. */
  id: string;
  text: string;
  /** What undoing it would cost; absent: little. */
  undoing?: { rating: "costly" | "one-way"; why: string };
}

export interface ContextDocument {
  phase: string;
  name: string;
  /** What the phase delivers: the border of its scope. */
  boundary: string;
  areas: { name: string; decisions: ContextDecision[] }[];
  /** What the person leaves to whoever plans. */
  discretion: string[];
  /** Documents to read before planning, with what each decides. */
  references: { path: string; why: string }[];
  code: string;
  specifics: string;
  /** Kept for later; no plan may take it up. */
  deferred: string[];
}

const day = (at: string): string => at.slice(0, 10);
const orNone = (lines: readonly string[], none: string): readonly string[] => (lines.length === 0 ? [none] : lines);
const bullets = (items: readonly string[]): string[] => items.map((item) => `- ${oneLine(item)}`);

export function contextText(context: ContextDocument, at: string): string {
  const { areas, discretion, references, deferred } = context;
  return [
    ...[`# Phase ${context.phase}: ${oneLine(context.name)} - Context`, "", `**Gathered:** ${day(at)}`],
    ...["**Status:** Ready for planning", "", "<domain>", "## Phase Boundary", "", blockOf(context.boundary), ""],
    ...["</domain>", "", "<decisions>", "## Implementation Decisions", ""],
    ...areas.flatMap(({ name, decisions }) => [`### ${titleOf(name)}`, ...decisions.map(decisionLine), ""]),
    ...["### Claude's Discretion", ...orNone(bullets(discretion), "None."), "", "</decisions>", ""],
    ...["<canonical_refs>", "## Canonical References", ""],
    ...orNone(
      references.map(({ path, why }) => `- \`${oneLine(path)}\` — ${oneLine(why)}`),
      "No external documents.",
    ),
    ...[
      "",
      "</canonical_refs>",
      "",
      "<code_context>",
      "## Existing Code Insights",
      "",
      blockOf(context.code) || "None.",
    ],
    ...["", "</code_context>", "", "<specifics>", "## Specific Ideas", "", blockOf(context.specifics) || "None."],
    ...["", "</specifics>", "", "<deferred>", "## Deferred Ideas", "", ...orNone(bullets(deferred), "None."), ""],
    ...["</deferred>", "", "---", "", `*Phase: ${context.phase}*`, `*Context gathered: ${day(at)}*`, ""],
  ].join("\n");
}

const decisionLine = ({ id, text, undoing }: ContextDecision): string =>
  `- **${id}:** ${oneLine(text)}${undoing ? ` — **Reversibility:** ${undoing.rating} — ${oneLine(undoing.why)}` : ""}`;

export function readContext(text: string): ContextDocument {
  const all = sectionsOf(text.replace(/^<\/?[a-z_]+>\s*$/gm, ""), 2);
  const [, phase = "", name = ""] = /^Phase\s+(\S+):\s*(.*?)\s*-\s*Context$/i.exec(all[0]?.title ?? "") ?? [];
  const body = (title: string) => (sectionNamed(all, title)?.body ?? "").replace(/^None\.$/, "");
  const parts = sectionsOf(body("implementation decisions"), 3);
  return {
    ...{ phase, name, boundary: body("phase boundary") },
    areas: parts.flatMap(({ title, body: inside }) => {
      const decisions = itemsOf(inside).flatMap(decisionIn);
      return decisions.length === 0 ? [] : [{ name: title, decisions }];
    }),
    discretion: itemsOf(parts.find(({ title }) => /discretion/i.test(title))?.body ?? "").filter(
      (item) => decisionIn(item).length === 0,
    ),
    references: itemsOf(body("canonical references")).flatMap((item) => {
      const [, path, why = ""] = /^`([^`]+)`[^—]*(?:—\s*)?([\s\S]*)$/.exec(item) ?? [];
      return path === undefined ? [] : [{ path, why: why.trim() }];
    }),
    ...{ code: body("existing code"), specifics: body("specific ideas") },
    deferred: itemsOf(body("deferred ideas").replace(/\n---[\s\S]*$/, "")),
  };
}

function decisionIn(item: string): ContextDecision[] {
  const [, id, rest = ""] = /^\*\*(D-\d+)(?::\*\*|\*\*:?)\s*([\s\S]*)$/.exec(item) ?? [];
  if (id === undefined) return [];
  const [whole, rating, why = ""] =
    /\s+—\s+\*\*Reversibility:\*\*\s+\[?(costly|one-way)\]?\s+—\s+([\s\S]*)$/.exec(rest) ?? [];
  if (whole === undefined || (rating !== "costly" && rating !== "one-way")) return [{ id, text: rest.trim() }];
  return [{ id, text: rest.slice(0, -whole.length).trim(), undoing: { rating, why: why.trim() } }];
}

/**
 * What plans have to cite: every decision, but for those that are marked as told only (`[informational]`) or kept for later
 * (`[deferred]`).
 */
export const bindingDecisions = (context: ContextDocument): ContextDecision[] =>
  context.areas
    .flatMap(({ decisions }) => decisions)
    .filter(({ text }) => !/\[(?:informational|deferred)\]/i.test(text));

export interface DiscussedArea {
  name: string;
  options: { name: string; what: string }[];
  choice: string;
  notes: string;
}

export interface DiscussionLog {
  phase: string;
  name: string;
  areas: DiscussedArea[];
  discretion: string[];
  deferred: string[];
}

export function discussionText({ phase, name, areas, discretion, deferred }: DiscussionLog, at: string): string {
  return [
    ...[
      `# Phase ${phase}: ${oneLine(name)} - Discussion Log`,
      "",
      "> **Audit trail only.** Decisions are in CONTEXT.md; planning, research and execution do not read this.",
      "",
    ],
    ...[
      `**Date:** ${day(at)}`,
      `**Phase:** ${phase}`,
      `**Areas discussed:** ${areas.map((area) => oneLine(area.name)).join(", ")}`,
      "",
      "---",
      "",
    ],
    ...areas.flatMap(({ name: title, options, choice, notes }) => [
      ...[`## ${titleOf(title)}`, ""],
      ...table(
        ["Option", "Description", "Selected"],
        options.map((option) => [option.name, option.what, oneLine(option.name) === oneLine(choice) ? "✓" : ""]),
      ),
      ...["", `**User's choice:** ${oneLine(choice)}`, `**Notes:** ${oneLine(notes)}`, "", "---", ""],
    ]),
    ...["## Claude's Discretion", "", ...bullets(discretion), "", "## Deferred Ideas", "", ...bullets(deferred), ""],
  ].join("\n");
}

export function readDiscussion(text: string): DiscussionLog {
  const all = sectionsOf(text, 2);
  const [, phase = "", name = ""] = /^Phase\s+(\S+):\s*(.*?)\s*-\s*Discussion Log$/i.exec(all[0]?.title ?? "") ?? [];
  const rest = all.slice(1);
  const own = (title: string) => /^claude's discretion$|^deferred ideas$/i.test(title);
  const field = (body: string, key: string) =>
    new RegExp(`^\\*\\*${key}:\\*\\*[^\\S\\n]*(.*)$`, "m").exec(body)?.[1]?.trim() ?? "";
  return {
    ...{ phase, name },
    areas: rest.flatMap(({ title, body }) =>
      own(title)
        ? []
        : [
            {
              name: title,
              options: rowsOf(body).map(([option = "", what = ""]) => ({ name: option, what })),
              ...{ choice: field(body, "User's choice"), notes: field(body, "Notes") },
            },
          ],
    ),
    discretion: itemsOf(sectionNamed(rest, "claude's discretion")?.body ?? ""),
    deferred: itemsOf(sectionNamed(rest, "deferred ideas")?.body ?? ""),
  };
}
