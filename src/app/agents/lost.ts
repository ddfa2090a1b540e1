// Subagents that were at work when their process ended: told as lost, with what they had taken, and never begun again.
import { abandon, recover } from "../../engine/recovery.ts";
import { Session } from "../../engine/session/session.ts";
import type { SubagentState } from "../../engine/session/agent-rows.ts";
import { addCost, addUsage, noUsage } from "../../protocol/usage.ts";
import { closeLost } from "../record/approvals.ts";
import type { Program } from "../program/program.ts";

/** Their names. What each was doing when it was cut off stands in its own session. */
export function closeLostAgents(program: Program, session: Session): string[] {
  const lost = session.state.agents.filter(({ state }) => state === "working");
  for (const each of lost) {
    const child = Session.open(each.child, program.store());
    const stands = `what it had done stands in session ${each.child}`;
    const ended = { type: "agent.ended", agent: each.agent, state: "lost", denials: 0, ms: 0 } as const;
    // This session is a copy: what the original's subagents do, and cost, is none of its business.
    if (program.store().session(each.child)?.parent !== session.id) {
      session.append({ ...ended, why: `It works for the session that this is a copy of; ${stands}.`, ...nothing });
      continue;
    }
    closeLostAgents(program, child);
    closeLost(program, child);
    recover(child);
    abandon(child);
    session.append({ ...ended, why: `The program ended while it worked; ${stands}.`, ...sinceTold(each, child) });
  }
  for (const { wave, agents, spent: cost, startedAt, endedAt } of session.state.waves) {
    if (endedAt !== undefined) continue;
    const members = session.state.agents.filter((each) => each.wave === wave);
    const usage = members.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
    session.append({ type: "wave.ended", wave, agents, usage, cost, ms: Math.max(0, Date.now() - startedAt) });
  }
  return lost.map(({ agent }) => agent);
}

const nothing = { rounds: 0, calls: 0, usage: noUsage, cost: 0 };

/** An earlier piece of its work has been counted already. */
function sinceTold(told: SubagentState, { state }: Session) {
  const minus = Object.fromEntries(Object.entries(told.usage).map(([name, value]) => [name, -value]));
  return {
    rounds: state.rounds.length - told.rounds,
    calls: Math.max(0, callsOf(state.conversation.messages) - told.calls),
    usage: addUsage(state.usage, { ...noUsage, ...minus }),
    cost: addCost(state.cost, told.cost === null ? 0 : -told.cost),
  };
}

const callsOf = (messages: Session["state"]["conversation"]["messages"]): number =>
  messages.reduce((sum, message) => sum + (message.role === "tool" ? message.content.length : 0), 0);
