// Another agent's program as an arm: its answer to a prompt is a call that runs it, and what that call came to.
import { Fault } from "../../base/fault.ts";
import { programOnPath } from "../../io/toolchain/program-on-path.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Arm } from "../contract/arm.ts";
import { freePrice } from "../contract/pricing.ts";
import { type KnownProgram, programCard, programEfforts } from "../registry/command-line.ts";
import { effortsOf } from "../registry/efforts.ts";
import { agentProvider } from "./provider.ts";

/** Throws a Fault (exit 2) when it is not installed. Its rounds are free: what its program costs is told by the program. */
export function agentArm(
  { known, model }: { known: KnownProgram; model?: string },
  env: Readonly<Record<string, string | undefined>>,
): Arm {
  const { program, agent, alias } = known;
  if (programOnPath(program, env) === undefined)
    throw new Fault(
      "model.no-program",
      Exit.usage,
      `${agent} is not installed: there is no program "${program}" in PATH.`,
      `Install it, or name another model than ${alias}; \`fettle models\` shows what is found.`,
    );
  const { name, contextTokens, maxOutput } = programCard(known);
  const type = known.vendor as "anthropic" | "openai" | "google";
  const ofModel = model === undefined ? undefined : effortsOf({ type, model, baseUrl: "", reasoning: true });
  return {
    name: model === undefined ? name : `${name}/${model}`,
    model: model ?? program,
    provider: agentProvider(program, model),
    contextWindow: contextTokens,
    maxOutput,
    efforts: programEfforts(known, ofModel),
    price: freePrice,
  };
}
