// Other agents' command-line programs that fettle knows of. Data.
import type { ArmCard } from "./card.ts";

interface KnownProgram {
  program: string;
  agent: string;
  contextTokens: number;
  maxOutput: number;
  images: boolean;
}

export const knownPrograms: readonly KnownProgram[] = [
  { program: "claude", agent: "Claude Code", contextTokens: 200_000, maxOutput: 64_000, images: true },
  { program: "codex", agent: "Codex", contextTokens: 400_000, maxOutput: 128_000, images: true },
  { program: "gemini", agent: "Gemini CLI", contextTokens: 1_048_576, maxOutput: 65_536, images: true },
];

export const programCard = ({ program, contextTokens, maxOutput, images }: KnownProgram): ArmCard => ({
  name: `cli/${program}`,
  provider: "cli",
  kind: "cli",
  capabilities: { tools: true, images, reasoning: true },
  contextTokens,
  maxOutput,
  pools: [],
  reachable: true,
});
