// Which of the command-line agents that fettle knows are installed here: looked up on PATH, nothing is run.
import { programOnPath } from "../../../io/toolchain/program-on-path.ts";
import { knownPrograms, programCard } from "../../../model/registry/command-line.ts";
import type { ModelRow } from "../../../protocol/models.ts";
import { shownCard } from "./model-cards.ts";

export function commandLineAgents(env: Readonly<Record<string, string | undefined>>): ModelRow[] {
  return knownPrograms.flatMap((known) => {
    const place = programOnPath(known.program, env);
    if (!place) return [];
    const card = programCard(known);
    return [
      {
        ...{ model: card.name, provider: card.provider, status: "found" as const, default: false, local: false },
        detail: `${known.agent}, ${place}; --model ${known.alias}`,
        card: shownCard(card, []),
      },
    ];
  });
}
