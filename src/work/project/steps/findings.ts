// What agents find when they look at something, judged by code where code can.
import { z } from "zod";
import { type Finding, severities } from "../formats/findings-document.ts";
import { oneLine } from "../formats/sections.ts";
import { doubtOf, idleDoubtOf } from "../work/places.ts";
import type { ProjectWork } from "../work/work.ts";
import { words } from "./step-words.ts";

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

const mostAsked = 3;

/**
 * Asks until each of `names` has an item that `says` it, at most three times; what is left then nobody has looked at.
 * `ask` is told what is left where something is, in other words each time: the same order would get the same answer. What is
 * said again of something else is not taken twice.
 */
export async function untilAll<T>(
  names: readonly string[],
  says: (item: T) => string,
  ask: (left: string) => Promise<readonly T[]>,
): Promise<{ items: T[]; left: string[] }> {
  const items: T[] = [];
  let left: string[] = [];
  for (let asked = 0; asked < mostAsked; asked += 1) {
    const said = await ask(leftText(left, asked));
    items.push(...said.filter((item) => asked === 0 || left.some((name) => named(says(item), name))));
    left = names.filter((name) => !items.some((item) => named(says(item), name)));
    if (left.length === 0) break;
  }
  return { items, left };
}

function leftText(left: readonly string[], asked: number): string {
  if (left.length === 0) return "";
  const silent =
    asked > 1 ? "For the last time: you have still said nothing of these" : "You have said nothing of these";
  return `\n\n${silent}; answer for them alone: ${left.map(oneLine).join(", ")}.`;
}

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
  { claims, without, lines = false }: { claims: readonly string[]; without: string; lines?: boolean },
): Promise<Finding[]> {
  const files = new Set(await work.repository.files("HEAD"));
  return Promise.all(
    items.map(async (item): Promise<Finding> => {
      const claimed = claims.includes(item.state);
      const doubt = await (lines && claimed ? idleDoubtOf : doubtOf)(work, files, item.place);
      const empty = claimed && (item.place === "" || doubt !== undefined);
      const why = empty
        ? `called ${item.state} without a place that shows it${doubt === undefined ? "" : `: ${doubt}`}`
        : doubt;
      return { ...item, state: empty ? without : item.state, ...(why !== undefined && { doubt: why }) };
    }),
  );
}
