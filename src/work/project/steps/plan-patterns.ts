// The pattern map of a phase: an agent names files and lines, code looks whether they exist and cuts out their text.
import { z } from "zod";
import { textIn } from "../../task/world/texts.ts";
import { askAgents } from "../work/asking.ts";
import type { FilePattern, PatternsDocument } from "../formats/patterns-document.ts";
import type { ProjectWork } from "../work/work.ts";
import type { PhaseGround } from "./phase-ground.ts";
import { place, words } from "./step-words.ts";

const line = z.coerce.number().int().positive();
const answer = (known: ReadonlySet<string>) => {
  const there = place.refine((path) => known.has(path), "there is no such file in this repository");
  return z.object({
    files: z
      .array(
        z.object({
          ...{ path: place, role: words, flow: words, note: z.string().default("") },
          analog: z.object({ path: there, from: line, to: line, match: z.enum(["exact", "partial"]) }).optional(),
        }),
      )
      .max(40),
    shared: z
      .array(z.object({ name: words, path: there, applies: words }))
      .max(12)
      .default([]),
  });
};

const longest = 40;

/** Undefined where the repository has nothing to be like, or no usable answer came: planning goes on without it, and says so. */
export async function patternsOf(
  work: ProjectWork,
  ground: PhaseGround,
  documents: string,
): Promise<PatternsDocument | undefined> {
  const files = (await work.repository.commit("HEAD")) === undefined ? [] : await work.repository.files();
  const sources = files.filter((file) => !file.startsWith(".planning/"));
  if (sources.length === 0) return undefined;
  const { phase } = ground;
  const [found] = await askAgents(work, [
    {
      ...{ agent: "pattern-mapper" as const, about: `phase ${phase.number}` },
      text: `Which files will this phase create or change, and what should each be like?\n\n${ground.told}`,
      ...(documents !== "" && { data: { text: documents, source: "documents of the phase" } }),
      answer: answer(new Set(sources)),
    },
  ]);
  if (!found || found.problem !== undefined) {
    work.tell(`There is no pattern map: ${found?.problem ?? ""}`, false);
    return undefined;
  }
  const made: FilePattern[] = [];
  for (const { analog, ...each } of found.value.files) made.push({ ...each, ...(await excerptOf(work, analog)) });
  return { phase: phase.number, name: phase.name, files: made, shared: found.value.shared };
}

type Analog = { path: string; from: number; to: number; match: "exact" | "partial" } | undefined;

/** Lines that do not exist are no analog. */
async function excerptOf(work: ProjectWork, analog: Analog): Promise<Pick<FilePattern, "analog">> {
  const text = analog && (await textIn(work.world.root, analog.path));
  if (!analog || text === undefined) return {};
  const lines = text.split(/\r?\n/);
  const from = Math.min(analog.from, lines.length);
  const to = Math.min(Math.max(analog.to, from), from + longest - 1, lines.length);
  return { analog: { ...analog, from, to, excerpt: lines.slice(from - 1, to).join("\n") } };
}
