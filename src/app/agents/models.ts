// Which model a subagent asks: its definition's, as far as that may choose, else that of whoever started it.
import { Fault } from "../../base/fault.ts";
import type { Session } from "../../engine/session/session.ts";
import type { AgentDefinition, AgentOrigin } from "../../protocol/agent.ts";
import type { ArmSource } from "../models/cards/arm-source.ts";
import type { Program } from "../program/program.ts";
import { routedBy } from "../models/routing/choice/words.ts";

/** With the profile inherit it is the arm that the router has chosen for whoever starts it. */
export function inheritedModel(program: Program, { state }: Session): string {
  const inherits = program.config().settings.router.profile === "inherit";
  return (inherits && state.rounds.at(-1)?.model) || state.model;
}

/** What definitions say in place of a model, in the words of other agents, and the tier that it means. */
const tiers: ReadonlyMap<string, string> = new Map([
  ...["haiku", "light", "lite", "cheap", "scout", "flash", "mini"].map((word) => [word, "small"] as const),
  ...["sonnet", "standard", "coder"].map((word) => [word, "medium"] as const),
  ...["opus", "heavy", "thinker", "reasoner", "pro"].map((word) => [word, "large"] as const),
]);

export interface ModelChoice {
  /** What the session is told: a name, or a word that leaves the choice to the router. */
  model: string;
  /** Why it is not what the definition says; a sentence for the person. */
  told?: string;
}

interface Wanted {
  definition: AgentDefinition;
  origin: AgentOrigin;
  /** Of whoever starts it. */
  inherited: string;
}

/**
 * A tier is followed where the session leaves the choice to the router. A repository's definition may not take the
 * conversation to another provider than the one that it is with.
 */
export async function modelFor(program: Program, arms: ArmSource, wanted: Wanted): Promise<ModelChoice> {
  const { definition, origin, inherited } = wanted;
  const { settings } = program.config();
  const { model = definition.tier } = definition;
  if (model === undefined || settings.router.profile === "inherit") return { model: inherited };
  const routed = routedBy(inherited, settings) !== undefined;
  const tier = tiers.get(model.toLowerCase()) ?? (routedBy(model, settings) ? model : undefined);
  if (tier !== undefined && !routed) return { model: inherited };
  try {
    const { name } = await arms(tier ?? model);
    if (origin === "project" && tier === undefined && providerOf(name) !== providerOf((await arms(inherited)).name)) {
      const why = "as a repository's definition names no other provider";
      return { model: inherited, told: `${definition.name} asks ${inherited} instead of ${model}, ${why}.` };
    }
    return { model: tier ?? name };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { model: inherited, told: `${definition.name} asks ${inherited} instead of ${model}: ${error.message}` };
  }
}

const providerOf = (arm: string): string => arm.split("/", 1)[0] ?? arm;
