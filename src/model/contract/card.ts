// What is known of an arm without asking it anything: what the router chooses by and `fettle models` shows.
import type { Effort } from "../../protocol/effort.ts";
import type { Price } from "./pricing.ts";

/** `api` somewhere else, `local` on this machine or where a person says so, `cli` another agent's command-line program. */
type ArmKind = "api" | "local" | "cli";

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
  /** Tokens of request and answer together, as it is asked for. */
  contextTokens: number;
  /** Tokens. */
  maxOutput: number;
  /** Levels of effort that it knows; empty: none is asked for. */
  efforts: readonly Effort[];
  /** It is offered `apply_patch` instead of `edit`; absent for a command-line agent, which has tools of its own. */
  patches?: boolean;
  /** Undefined when nobody knows; zero for local arms, unless a person has set one. */
  price?: Price;
  /** Names of the pools that it draws from. */
  pools: readonly string[];
  /** ms since 1970; when its capabilities were tried out rather than looked up. */
  probedAt?: number;
  /** Undefined until somebody has looked. */
  reachable?: boolean;
}

export interface ListedPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** What was found out about an arm, by asking its server or by trying it. */
export interface Finding {
  /** ms since 1970. */
  at: number;
  contextTokens?: number;
  /** Tokens of its longest answer. */
  maxOutput?: number;
  /** US dollars per million tokens, as its server lists them. */
  price?: ListedPrice;
  /** The most that it was seen to read when it was probed. */
  triedTokens?: number;
  capabilities?: Capabilities;
  /** The capabilities were tried with real requests. */
  probed?: boolean;
}
