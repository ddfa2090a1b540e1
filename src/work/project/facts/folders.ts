// Folders of phases: what they are called, and those whose milestone is shipped, put away beside its archive.
import type { PlanningStep } from "../../../protocol/project.ts";
import { splitPhase } from "../formats/phase-number.ts";
import type { Known } from "./kept.ts";
import { fault } from "./naming.ts";

/** `3` and `login` are `03-login`. */
export const numberedFolder = (number: string, slug: string): string => {
  const [whole = "", ...rest] = number.split(".");
  return `${[whole.padStart(2, "0"), ...rest].join(".")}-${slug}`;
};

/** By its number, the version that the roadmap has folded a phase away with. */
function shippedWith(roadmap: string): Map<string, string> {
  const found = new Map<string, string>();
  let version: string | undefined;
  for (const line of roadmap.split(/\r?\n/)) {
    if (line.includes("<summary>")) version = /\b(v\d+(?:\.\d+)*(?:-[\w.]+)?)/.exec(line)?.[1];
    if (line.includes("</details>")) version = undefined;
    const number = splitPhase(/\bPhase\s+([\w.-]+?)\s*:/.exec(line)?.[1] ?? "?")?.number;
    if (version !== undefined && number !== undefined && !found.has(number)) found.set(number, version);
  }
  return found;
}

export function cleanedUp(
  roadmap: string,
  { phases }: Known,
  folders: readonly string[],
): { steps: PlanningStep[]; activity: string } {
  const versions = shippedWith(roadmap);
  const shipped = new Set(phases.filter((phase) => phase.shipped).map(({ number }) => number));
  const steps = folders.flatMap((folder): PlanningStep[] => {
    const number = splitPhase(folder)?.number ?? "";
    const version = versions.get(number);
    if (!shipped.has(number) || version === undefined) return [];
    return [{ kind: "move", from: `phases/${folder}`, to: `milestones/${version}-phases/${folder}` }];
  });
  if (steps.length === 0)
    throw fault("nothing-to-clean", "No folder belongs to a milestone that is shipped.", "Nothing has to be done.");
  return { steps, activity: `${steps.length} folders of shipped phases put away` };
}
