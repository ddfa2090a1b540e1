// What agents find when they look at something: judged by code where code can, and written as a document.
import { z } from "zod";
import { headOf } from "../formats/head-write.ts";
import { oneLine, table } from "../formats/sections.ts";
import { doubtOf } from "../work/places.ts";
import type { ProjectWork } from "../work/work.ts";
import { words } from "./step-words.ts";

export const severities = ["low", "medium", "high", "critical"] as const;

/** What an agent may say of each thing that it looked at; at least `least` things. */
export const findingsOf = <S extends string>(states: readonly [S, ...S[]], least = 0) =>
  z.object({
    summary: words,
    items: z
      .array(
        z.object({
          title: words,
          state: z.enum(states),
          /** Of the repository, with `:line` behind it where there is one; absent where it is about nothing that exists. */
          place: z.string().max(500).default(""),
          evidence: z.string().max(4000).default(""),
          action: z.string().max(4000).default(""),
          severity: z
            .enum(["", ...severities])
            .default("")
            .describe("of a threat: what an attacker gains"),
        }),
      )
      .max(200)
      .default([])
      .refine((items) => items.length >= least, "an item is needed for each thing that was looked at; there is none"),
  });

export interface Finding {
  title: string;
  state: string;
  place: string;
  evidence: string;
  action: string;
  severity: (typeof severities)[number] | "";
  /** What code has found wrong with what the agent said. */
  doubt?: string;
}

const mostAsked = 3;

/**
 * Asks until each of `names` has an item that `says` it, at most three times; what is left then nobody has looked at.
 * `ask` is told what is left where something is.
 */
export async function untilAll<T>(
  names: readonly string[],
  says: (item: T) => string,
  ask: (left: readonly string[]) => Promise<readonly T[]>,
): Promise<{ items: T[]; left: string[] }> {
  const items: T[] = [];
  let left: string[] = [];
  for (let asked = 0; asked < mostAsked; asked += 1) {
    items.push(...(await ask(left)));
    left = names.filter((name) => !items.some((item) => named(says(item), name)));
    if (left.length === 0) break;
  }
  return { items, left };
}

export const leftText = (left: readonly string[]): string =>
  left.length === 0
    ? ""
    : `\n\nYou have said nothing of these; answer for them alone: ${left.map(oneLine).join(", ")}.`;

/** As a word of its own: `T-1` is not in `T-12`. */
function named(text: string, name: string): boolean {
  const plain = (words: string) => words.toLowerCase().replaceAll("color", "colour");
  const word = plain(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(plain(text));
}

/**
 * Held against the repository: a place that is not there is a doubt, and a state that claims evidence without a place becomes
 * `without`.
 */
export async function checkedAgainst(
  work: ProjectWork,
  items: readonly Finding[],
  { claims, without }: { claims: readonly string[]; without: string },
): Promise<Finding[]> {
  const files = new Set(await work.repository.files("HEAD"));
  return Promise.all(
    items.map(async (item): Promise<Finding> => {
      const doubt = await doubtOf(work, files, item.place);
      const empty = claims.includes(item.state) && (item.place === "" || doubt !== undefined);
      const why = empty ? `called ${item.state} without a place that shows it` : doubt;
      return { ...item, state: empty ? without : item.state, ...(why !== undefined && { doubt: why }) };
    }),
  );
}

interface Shown {
  title: string;
  head: Readonly<Record<string, string | number>>;
  summary: string;
  states: readonly string[];
  items: readonly Finding[];
}

/** Front matter with a count for each state, the table, and one section for each finding. */
export function findingsText({ title, head, summary, states, items }: Shown): string {
  const counts = Object.fromEntries(
    states.map((state) => [state.replaceAll("-", "_"), items.filter((item) => item.state === state).length]),
  );
  const rows = items.map((item, at) => [String(at + 1), item.state, oneLine(item.title), oneLine(item.place)]);
  return [
    headOf({ ...head, ...counts }).trimEnd(),
    `# ${title}`,
    oneLine(summary),
    ["## Findings", "", ...(items.length === 0 ? ["None."] : table(["#", "State", "What", "Where"], rows))].join("\n"),
    ...items.map((item, at) =>
      [
        `### ${at + 1}. ${oneLine(item.title)}`,
        "",
        `**State:** ${item.state}`,
        ...(item.severity === "" ? [] : [`**Severity:** ${item.severity}`]),
        ...(item.place === "" ? [] : [`**Where:** \`${oneLine(item.place).replaceAll("`", "'")}\``]),
        ...(item.doubt === undefined ? [] : [`**Doubt:** ${item.doubt}`]),
        ...(item.evidence.trim() === "" ? [] : ["", quotedBlock(item.evidence)]),
        ...(item.action.trim() === "" ? [] : ["", `**To do:** ${oneLine(item.action)}`]),
      ].join("\n"),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

/** An agent's words, which make no heading and no front matter of their own. */
const quotedBlock = (text: string): string =>
  text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join("\n");
