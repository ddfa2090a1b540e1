// For whom another agent's program works: a session of a person's, or a subagent's.
import type { BudgetNode } from "../../../engine/budget/node.ts";
import type { Session } from "../../../engine/session/session.ts";
import type { SeenSession } from "../../session/session-facts.ts";
import { noteCall, type SessionScope } from "../../session/scope.ts";
import type { Money } from "../../record/money.ts";
import type { Program } from "../../program/program.ts";
import { agentTool } from "./tool.ts";

interface Parts {
  program: Program;
  scope: SessionScope;
  money: Money;
  budget: BudgetNode;
  session: Session;
  seen: SeenSession;
  task?: string;
  agent?: string;
  mission?: string;
}

export const agentToolFor = ({ program, scope, money, session, seen, ...rest }: Parts) =>
  agentTool({
    ...{ program, session, money, task: "", agent: "", ...rest },
    role: () => seen.context().role,
    spent({ model, usage, cost, estimated }) {
      const turn = session.state.turns.at(-1)?.turn ?? 0;
      money.recordRun(
        { session, task: rest.task ?? "", agent: rest.agent ?? "" },
        { model, usage, cost, turn, estimated },
      );
      const { terms, ledger } = scope.parts;
      noteCall(terms, () =>
        ledger.note(
          "model.call",
          { session: session.id, turn, model, sampling: "", usage, cost, ...(estimated && { estimated }) },
          { lazily: true },
        ),
      );
    },
  });
