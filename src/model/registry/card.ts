// What is known of an arm without asking it anything: what the router chooses by and `fettle models` shows.
import type { Price } from "../pricing.ts";

/** `api` somewhere else, `local` on this machine or network, `cli` another agent's command-line program. */
export type ArmKind = "api" | "local" | "cli";

export interface Capabilities {
  tools: boolean;
  images: boolean;
  reasoning: boolean;
}

export interface ArmCard {
  /** `provider/model`; of a command-line agent `cli/NAME`. */
  name: string;
  provider: string;
  kind: ArmKind;
  capabilities: Capabilities;
  /** Tokens of request and answer together. */
  contextTokens: number;
  /** Tokens. */
  maxOutput: number;
  /** Undefined when nobody knows; zero for local arms, unless a person has set one. */
  price?: Price;
  /** Names of the pools that it draws from. */
  pools: readonly string[];
  /** Undefined until somebody has looked. */
  reachable?: boolean;
}
