// Subagents: what a definition says, and how one that was started is doing.
import { z } from "zod";
import type { Role } from "./decision.ts";
import type { Usage } from "./message.ts";

/** `lost`: it was at work when its program ended. `waiting`: as many as may be are at work. */
export const AgentState = z.enum(["waiting", "working", "done", "failed", "cancelled", "lost"]);
export type AgentState = z.infer<typeof AgentState>;

export const agentEnds = ["done", "failed", "cancelled", "lost"] as const;
export type AgentEnd = (typeof agentEnds)[number];

/** One of a session's subagents. `session` is its own, where every step of it stands. */
export interface AgentRow {
  agent: string;
  definition: string;
  session: string;
  /** The session that it works for. */
  parent: string;
  state: AgentState;
  /** The first line of what it was told to do. */
  task: string;
  model: string;
  /** Why it ended, when it was not done. */
  why?: string;
  rounds: number;
  calls: number;
  usage: Usage;
  cost: number | null;
  startedAt: number;
  endedAt?: number;
  colour?: string;
  /** Those that it was started at once with. */
  wave?: string;
}

/** What a subagent is told, and the most that it may do. */
export interface AgentDefinition {
  name: string;
  description: string;
  /** fettle's own tool names; absent: every tool that a subagent may have. */
  tools?: string[];
  /** Its session acts as no more than this. */
  role?: Role;
  /** `provider/model`, or a name that stands for one. */
  model?: string;
  tier?: string;
  maxRounds?: number;
  colour?: string;
  prompt: string;
}

export type AgentOrigin = "bundled" | "user" | "project";

/** One definition file. `notes` say what of it has no effect here; with a `problem` it cannot be used. */
export interface AgentFile {
  name: string;
  origin: AgentOrigin;
  place: string;
  notes: string[];
  definition?: AgentDefinition;
  problem?: string;
  /** Nobody knows what it says. */
  unread?: boolean;
  /** Another of the same name, nearer to the project, is used instead. */
  shadowed?: boolean;
}

/** What may be asked: with what, and what is answered. */
export interface AgentQuestions {
  /** Every definition that there is, those that another one shadows too. */
  "agents.list": { ask: Record<string, never>; answer: AgentFile[] };
  /** A definition file, wherever it lies. */
  "agents.check": { ask: { path: string }; answer: AgentFile };
  /** Of this session. */
  "agents.mine": { ask: Record<string, never>; answer: AgentRow[] };
  /** At work now, in any process of this project. */
  "agents.running": { ask: Record<string, never>; answer: AgentRow[] };
}
