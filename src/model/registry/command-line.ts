// Other agents' command-line programs that fettle knows of. Data.
import type { Effort } from "../../protocol/effort.ts";
import type { ArmCard } from "../contract/card.ts";

export interface KnownProgram {
  program: string;
  agent: string;
  /** What a person calls it, besides `cli/PROGRAM`. */
  alias: string;
  /** Provider whose address and key it uses. */
  vendor: string;
  contextTokens: number;
  maxOutput: number;
  images: boolean;
  /** Levels of effort that it documents an option for; none: it takes none from fettle. */
  efforts: readonly Effort[];
  /** Its own prompt and tools: tokens of the first request for a prompt of one line, as measured (docs/guide/cli-agents.md). */
  promptTokens: number;
  /** What is counted for the result of something that it did, where its stream does not show it. */
  unseenResult: number;
  /** It gives its model no more of a result than this, whatever its stream shows. */
  longestResult: number;
}

export const knownPrograms: readonly KnownProgram[] = [
  {
    program: "claude",
    agent: "Claude Code",
    alias: "claude-code",
    vendor: "anthropic",
    contextTokens: 200_000,
    maxOutput: 64_000,
    images: true,
    efforts: ["low", "medium", "high", "max"],
    ...{ promptTokens: 13_400, unseenResult: 0, longestResult: 25_000 },
  },
  {
    program: "codex",
    agent: "Codex",
    alias: "codex",
    vendor: "openai",
    contextTokens: 400_000,
    maxOutput: 128_000,
    images: true,
    efforts: ["minimal", "low", "medium", "high", "xhigh"],
    ...{ promptTokens: 9_850, unseenResult: 500, longestResult: 2_800 },
  },
  {
    program: "gemini",
    agent: "Gemini CLI",
    alias: "gemini-cli",
    vendor: "google",
    contextTokens: 1_048_576,
    maxOutput: 65_536,
    images: true,
    efforts: [],
    ...{ promptTokens: 9_700, unseenResult: 2_500, longestResult: 20_000 },
  },
];

/** Those that every model of its vendor's takes, where nobody says which one it is. */
const usual: readonly Effort[] = ["low", "medium", "high"];

export const programEfforts = ({ efforts }: KnownProgram, ofModel: readonly Effort[] = usual): Effort[] =>
  efforts.filter((level) => ofModel.includes(level));

export const programCard = (known: KnownProgram): ArmCard => ({
  name: `cli/${known.program}`,
  provider: "cli",
  kind: "cli",
  capabilities: { tools: true, images: known.images, reasoning: true },
  contextTokens: known.contextTokens,
  maxOutput: known.maxOutput,
  efforts: programEfforts(known),
  pools: [],
  reachable: true,
});

/** `claude-code`, `cli/claude`, or either with a model behind a slash. */
export function programNamed(name: string): { known: KnownProgram; model?: string } | undefined {
  const [first = "", ...rest] = name
    .trim()
    .replace(/^cli\//, "")
    .split("/");
  const prefixed = name.trim().startsWith("cli/");
  const known = knownPrograms.find(({ program, alias }) => first === alias || (prefixed && first === program));
  if (!known || (rest.length > 0 && rest.join("/") === "")) return undefined;
  return { known, ...(rest.length > 0 && { model: rest.join("/") }) };
}
