// What the router decides about and tells: kinds of work, profiles, decisions, what was learned.

/** Kinds of work that arms are told apart by. */
export const taskTypes = [
  "boilerplate",
  "generation",
  "refactor",
  "review",
  "unit_test",
  "planning",
  "orchestration",
  "security_review",
  "debug",
  "explain",
] as const;
export type TaskType = (typeof taskTypes)[number];

/** `inherit`: missions and subagents keep the arm of whoever sent them; a turn of a person is weighed as balanced. */
export const routerProfiles = ["inherit", "quality", "balanced", "budget", "local"] as const;
export type RouterProfile = (typeof routerProfiles)[number];

/** How many arms work on one piece of work, and how. */
export const strategyNames = ["single", "cascade", "ensemble", "synthesis"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** What a routed piece of work came to. */
export const routerOutcomes = [
  "good", // a person said so
  "bad",
  "evidence", // a task ended with its evidence
  "unproved", // a task ended without
  "kept", // a person looked at the change and kept it
  "discarded",
  "rewound",
  "passed", // checks ran last, and passed: they were red before, or a person's own
  "green", // checks ran last, and passed, as they may always do
  "failing",
  "escalated", // a person went on with another model
  "failed", // the provider did not answer
  "stuck", // stopped for going in circles
] as const;
export type RouterOutcome = (typeof routerOutcomes)[number];

export interface Classification {
  type: TaskType;
  /** From 0 to 1. */
  complexity: number;
  /** Who said so: words of the prompt, the mission, plan mode, or the model of router.classifier. */
  by: "words" | "mission" | "mode" | "model";
  /** The words that told, for people. */
  because: string;
  /** Why the model of router.classifier did not say it. */
  notByModel?: string;
}

export interface Exclusion {
  arm: string;
  /** `capability.tools`, `context`, `privacy` … */
  code: string;
  /** One clause for people. */
  reason: string;
}

/** The parts of one candidate's score. */
export interface ScoredArm {
  arm: string;
  /** Expected: prior and what was seen, from 0 to 1. */
  quality: number;
  /** Before anything was seen. */
  heuristic: number;
  /** Discounted count of what was seen. */
  observations: number;
  /** Relative to a middle price, cold prefix and scarcity included. */
  cost: number;
  weightedCost: number;
  scarcity: number;
  /** What leaving the warm cache adds to `cost`. */
  switching: number;
  /** Of the expected quality. */
  score: number;
  /** Of the quality that was drawn. */
  drawn: number;
  /** How likely it was to be chosen. */
  propensity: number;
  /** What its slowness, against the fastest, has multiplied `weightedCost` by; absent: nothing. */
  slow?: number;
  /** Of another agent's program: micro-dollars that a run is expected to cost, and of how many runs that is known. */
  program?: { run?: number; seen: number };
}

export interface ScoredStrategy {
  strategy: StrategyName;
  quality: number;
  cost: number;
  score: number;
  propensity: number;
  /** Why it cannot be used; absent when it can. */
  excluded?: string;
}

export interface RouterExplanation {
  classification: Classification;
  profile: RouterProfile;
  /** Undefined when nothing can be asked. */
  chosen?: string;
  why: string;
  /** `interval`: 95 % of what the quality may be. */
  candidates: (ScoredArm & { interval: [number, number] })[];
  excluded: Exclusion[];
  strategies: ScoredStrategy[];
  strategy: StrategyName;
  /** Told once about the state, such as that it was set aside. */
  notices: string[];
}

export interface RouterStat {
  arm: string;
  type: TaskType;
  /** Everything ever seen, undiscounted. */
  n: number;
  /** Discounted to now. */
  observations: number;
  mean: number;
  interval: [number, number];
  last: number;
  lastOutcome: RouterOutcome;
}

/** Of a model's latest whole answers, however it was chosen; milliseconds. */
export interface RouterLatency {
  arm: string;
  answers: number;
  /** Median until the first token. */
  firstMs: number;
  medianMs: number;
  /** Nine of ten answers took no longer. */
  p90Ms: number;
  /** Median for an answer of 400 tokens: this is what `router.latency_weight` weighs. */
  paceMs: number;
}

export interface RouterStats {
  arms: RouterStat[];
  latency: RouterLatency[];
  strategies: (Omit<RouterStat, "arm"> & { strategy: StrategyName })[];
  decisions: { total: number; judged: number };
  /** Value of the logged choices and of others in their place, by inverse propensity; only where there is enough. */
  replay: ReplayEstimate[];
  notices: string[];
}

/** `value`: expected reward of the policy, with 95 % of what it may be; `effective`: how many decisions speak for it. */
export interface ReplayEstimate {
  policy: string;
  value: number;
  interval: [number, number];
  effective: number;
}

export interface SimulationRow {
  policy: string;
  /** Sum over all rounds of what the best arm would have had more, mean of the seeds with 95 %. */
  regret: number;
  interval: [number, number];
  /** Of `regret`, relative to what the best arm would have had. */
  share: number;
  quality: number;
  cost: number;
}

export interface Simulation {
  scenario: string;
  rounds: number;
  arms: number;
  seeds: number;
  rows: SimulationRow[];
}
