// An agent that starts others, as those see it.
import type { Subagents } from "../../engine/agents/subagents.ts";
import type { BudgetNode } from "../../engine/budget/node.ts";
import type { AgentStart } from "../../engine/calls.ts";
import type { Checkpoints } from "../../engine/checkpoint.ts";
import type { Session } from "../../engine/session/session.ts";
import type { AgentPort } from "../../guard/fence/fence.ts";
import type { SeenSession } from "../session/session-facts.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Common } from "./agent-parts.ts";

/** The agent that starts them. */
export interface Lead {
  common: Common;
  session: Session;
  seen: SeenSession;
  checkpoints: Pick<Checkpoints, "ensure">;
  budget: BudgetNode;
  stirs(): void;
  /** 0: the session's first agent. */
  depth: number;
  /** Its own name; empty for the session's first agent. */
  name: string;
}

/** The subagents that it may start. */
export interface Below {
  readonly tool: AnyTool;
  readonly port: AgentPort;
  /** Undefined while none was started. */
  readonly helpers: Subagents | undefined;
  /** As Subagents.together. */
  together(starts: readonly AgentStart[]): Promise<() => void>;
  leads(lead: Lead): void;
}
