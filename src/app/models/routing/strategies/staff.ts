// What a session lends its strategies. Loads nothing until one is used.
import { randomBytes } from "node:crypto";
import { escapeLine } from "../../../../base/escape.ts";
import type { Checkpoints } from "../../../../engine/checkpoint.ts";
import type { Session } from "../../../../engine/session/session.ts";
import { currentTurn } from "../../../../engine/session/state.ts";
import type { AgentReport } from "../../../../guard/contract/grant.ts";
import type { Gate } from "../../../../guard/gate.ts";
import { textResult } from "../../../../protocol/outcome.ts";
import type { Program } from "../../../program/program.ts";
import type { Silent } from "./check.ts";
import type { Staff } from "../choice/crew.ts";

interface Lending extends Pick<Staff, "open" | "copies"> {
  program: Pick<Program, "config" | "store" | "workspace">;
  session: Session;
  temporary: string;
  gate(): Promise<Gate>;
  checkpoints(): Pick<Checkpoints, "close" | "ensure">;
}

export function staffOf({ program, session, open, copies, checkpoints, temporary, gate }: Lending): Staff {
  const checkpoint = () => checkpoints().ensure(currentTurn(session.state)?.turn ?? 0);
  const told = new Set<string>();
  /** Once of each: whoever has set it believes that it counts. */
  const tellSilent = (key: string, { silent }: Silent): undefined => {
    const text = `${key} says nothing, so it does not count: ${escapeLine(silent)}.`;
    if (silent === "" || told.has(text)) return;
    told.add(text);
    session.append({ type: "notice.given", code: "router.check", level: "warning", text });
  };
  return {
    ...{ workspace: program.workspace, checkpoints, gate, copies },
    open: async () => throughGate(await open(), gate),
    facts: (of = session.id) => program.store().facts(of),
    check: async (answer, signal) => {
      const { check: command } = program.config().settings.router;
      if (command === undefined) return undefined;
      const { checked } = await import("./check.ts");
      const found = await checked({ temporary, gate, checkpoint }, { command, answer }, signal);
      return typeof found === "boolean" ? found : tellSilent("router.check", found);
    },
    checkChanges: async (copy, signal) => {
      const { check_changes: command } = program.config().settings.router;
      if (command === undefined) return undefined;
      const { checkedIn } = await import("./check.ts");
      const found = await checkedIn(await copy.gate(), command, signal);
      return "silent" in found ? tellSilent("router.check_changes", found) : found;
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
