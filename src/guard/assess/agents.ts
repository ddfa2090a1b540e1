import type { ActionOf } from "../../protocol/action.ts";
import { type Context, find, note } from "../command-line/context/context.ts";
import { misleading } from "../command-line/context/hide.ts";

/** Each act of a subagent takes the gate by itself: to start one is only as much as the most that it may do. */
export function judgeAgent({ op, agent, task }: ActionOf<"agent">, at: Context): void {
  const { facts, findings } = at.run;
  const inner = { ...at, part: agent };
  if (op === "cancel") note(inner, "L0", "agent.cancel", "ends a subagent of this session");
  if (op !== "start" && op !== "send") return;
  findings.segment(agent);
  for (const finding of misleading(`${agent} ${task ?? ""}`)) find(inner, finding);
  findings.effect(agent, "spawn", agent);
  if (facts.readingAgent?.(agent) === true) note(inner, "L0", "agent.reads", "starts a subagent that only reads");
  else note(inner, "L1", "agent.start", "starts a subagent, which may do no more than this agent");
}
