// The evidence of phases, as it is kept beside VERIFICATION.md, and whether the ledger knows it.
import { sha256 } from "../../base/digest.ts";
import type { ProjectEvidence } from "../../protocol/project.ts";
import { readEvidence } from "../../work/project/formats/evidence.ts";
import type { Program } from "../program/program.ts";
import { planningFiles, provenBy } from "./files.ts";
import { activeStream } from "./active-workstream.ts";
import { shownIn } from "../../work/project/formats/workstream.ts";

/** Without `stream`: of the workstream that is worked on. */
export async function projectEvidence(
  program: Program,
  phase: string | undefined,
  stream?: { name: string | undefined },
): Promise<ProjectEvidence[]> {
  const name = stream ? stream.name : await activeStream(program);
  const files = await planningFiles(program.workspace, name);
  const proven = await provenBy(program, files);
  const found: ProjectEvidence[] = [];
  for (const [path, text] of files.texts) {
    const evidence = path.endsWith("-EVIDENCE.json") ? readEvidence(text) : undefined;
    if (!evidence || (phase !== undefined && evidence.phase !== phase)) continue;
    const { format: _, ...told } = evidence;
    found.push({ ...told, path: shownIn(name, path), known: proven.has(sha256(text)) });
  }
  return found.toSorted((one, other) => one.phase.localeCompare(other.phase, "en", { numeric: true }));
}
