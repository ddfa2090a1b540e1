// Documents about a code base that somebody else has written: seven, from facts alone, the same bytes for the same files.
import type { MapDocument } from "../../../protocol/project-map.ts";
import { type CodebaseSource, readCodebase } from "../codebase.ts";
import { architecture } from "./architecture.ts";
import { concerns } from "./concerns.ts";
import { conventions } from "./conventions.ts";
import { integrations } from "./integrations.ts";
import { stack } from "./stack.ts";
import { structure } from "./structure.ts";
import { testing } from "./testing.ts";
import { readManifests } from "../manifests.ts";

/** Ends each document: one that has it may be written anew, one without it is somebody's own. */
export const documentMark = "<!-- Written by fettle map. Delete this line to keep what you change. -->";

export async function documentsOf(source: CodebaseSource): Promise<MapDocument[]> {
  const codebase = await readCodebase(source);
  const manifests = readManifests(codebase.settings);
  const documents = [
    { name: "STACK.md", text: stack(codebase, manifests) },
    { name: "ARCHITECTURE.md", text: architecture(codebase, manifests) },
    { name: "STRUCTURE.md", text: structure(codebase) },
    { name: "CONVENTIONS.md", text: conventions(codebase) },
    { name: "TESTING.md", text: testing(codebase, manifests) },
    { name: "INTEGRATIONS.md", text: integrations(codebase, manifests) },
    { name: "CONCERNS.md", text: concerns(codebase, manifests) },
  ];
  return documents.map(({ name, text }) => ({ name, text: `${text}\n${documentMark}\n` }));
}
