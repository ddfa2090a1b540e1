// An arm as the router sees it: everything that its choice depends on, and nothing that asks anybody.
import type { TaskType } from "../../protocol/router.ts";

export type Tier = "small" | "medium" | "large";

interface CandidatePrice {
  /** US dollars per million tokens. */
  input: number;
  output: number;
  cacheRead: number;
}

export interface Candidate {
  arm: string;
  tier: Tier;
  /** On this machine, or where a person says that it counts as that. */
  local: boolean;
  /** On another machine of the private network, at that host. */
  networkHost?: string;
  capabilities: { tools: boolean; images: boolean; reasoning: boolean };
  /** Tokens of request and answer together. */
  contextTokens: number;
  maxOutput: number;
  /** Undefined when nobody knows. */
  price?: CandidatePrice | undefined;
  /** Of the scarcest pool that it draws from: 1 is plenty, infinite is empty. */
  scarcity: number;
  /** Which pool that is, and when it fills again, for people. */
  poolNote?: string | undefined;
  /** Milliseconds that an answer of usual length takes, as measured; undefined where too few were. */
  paceMs?: number | undefined;
  /** Kinds of work that it is known for. */
  strengths?: readonly TaskType[];
  /** Why it cannot be asked now, such as that it failed a moment ago. */
  down?: string | undefined;
  /** Another agent's program, which does whole turns by itself. */
  program?: CandidateProgram | undefined;
}

export interface CandidateProgram {
  /** Micro-dollars that a run is expected to cost; undefined when nobody knows. */
  run?: number;
  /** Runs whose cost is known. */
  seen: number;
  /** Why it is not started for this work. */
  barred?: string | undefined;
}

/** What the work needs of an arm. */
export interface Needs {
  tools: boolean;
  images: boolean;
  reasoning: boolean;
  /** Of the first request, its answer included. */
  contextTokens: number;
  /** Nothing may leave this machine; the clause says why. */
  localOnly?: string | undefined;
  /** Micro-dollars that are left, and which limit says so; undefined: no limit. */
  budget?: { left: number; name: string } | undefined;
  /** Arms of the tier or list that was named; undefined: any. */
  among?: { name: string; arms: ReadonlySet<string> } | undefined;
}

/** Dollars per million tokens of a usual mix: three of five go in. */
export const blended = ({ input, output }: Pick<CandidatePrice, "input" | "output">): number =>
  0.6 * input + 0.4 * output;
