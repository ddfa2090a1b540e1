// What a session lends its strategies. Loads nothing until one is used.
import { randomBytes } from "node:crypto";
import type { Checkpoints } from "../../../engine/checkpoint.ts";
import type { Session } from "../../../engine/session.ts";
import { currentTurn } from "../../../engine/state.ts";
import type { AgentReport } from "../../../guard/grant.ts";
import type { Gate } from "../../../guard/gate.ts";
import { textResult } from "../../../protocol/outcome.ts";
import type { Program } from "../../program.ts";
import type { Staff } from "./crew.ts";

interface Lending extends Pick<Staff, "open" | "copies"> {
  program: Pick<Program, "config" | "store" | "workspace">;
  session: Session;
  temporary: string;
  gate(): Promise<Gate>;
  checkpoints(): Pick<Checkpoints, "close" | "ensure">;
}

export function staffOf({ program, session, open, copies, checkpoints, temporary, gate }: Lending): Staff {
  const checkpoint = () => checkpoints().ensure(currentTurn(session.state)?.turn ?? 0);
  return {
    ...{ workspace: program.workspace, checkpoints, gate, copies },
    open: async () => throughGate(await open(), gate),
    facts: (of = session.id) => program.store().facts(of),
    check: async (answer, signal) => {
      const { check: command } = program.config().settings.router;
      if (command === undefined) return undefined;
      const { checked } = await import("./check.ts");
      return checked({ temporary, gate, checkpoint }, { command, answer }, signal);
    },
    checkChanges: async (copy, signal) => {
      const { check_changes: command } = program.config().settings.router;
      if (command === undefined) return undefined;
      const { checkedIn } = await import("./check.ts");
      return checkedIn(await copy.gate(), command, signal);
    },
  };
}

type Consulting = Awaited<ReturnType<Staff["open"]>>;

/** Rules about subagents hold for those that fettle starts itself, and the ledger knows of them. */
const throughGate = (subagents: Consulting, gate: () => Promise<Gate>): Consulting => ({
  async consult(wish, { call, signal }) {
    const id = `${call}-${randomBytes(6).toString("hex")}`;
    const action = { kind: "agent", op: "start", agent: wish.definition, task: wish.task } as const;
    let report: AgentReport | undefined;
    let problem: unknown;
    const start = async () => {
      report = await subagents.consult(wish, { call: id, signal }).catch((error: unknown) => {
        problem = error;
        return undefined;
      });
      return textResult(report ? `${report.row.agent} ${report.row.state}` : "It was not begun.");
    };
    await (await gate()).pass({ id, tool: "agent", action, origin: "fettle" }, start, signal);
    if (problem !== undefined) throw problem;
    return report;
  },
});
