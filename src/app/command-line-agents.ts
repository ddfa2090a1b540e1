// Which of the command-line agents that fettle knows are installed here: looked up on PATH, nothing is run.
import { statSync } from "node:fs";
import path from "node:path";
import { pathFolders } from "../io/toolchains.ts";
import { knownPrograms, programCard } from "../model/registry/command-line.ts";
import type { ModelRow } from "../protocol/models.ts";
import { shownCard } from "./model-cards.ts";

export function commandLineAgents(env: Readonly<Record<string, string | undefined>>): ModelRow[] {
  const folders = pathFolders(env);
  return knownPrograms.flatMap((known) => {
    const place = folders.map((folder) => path.join(folder, known.program)).find(isProgram);
    if (!place) return [];
    const card = programCard(known);
    return [
      {
        ...{ model: card.name, provider: card.provider, status: "found" as const, default: false, local: false },
        detail: `${known.agent}, ${place}`,
        card: shownCard(card, []),
      },
    ];
  });
}

function isProgram(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
