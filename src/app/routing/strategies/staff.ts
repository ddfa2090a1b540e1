// What a session lends its strategies. Loads nothing until one is used.
import type { Checkpoints } from "../../../engine/checkpoint.ts";
import type { Session } from "../../../engine/session.ts";
import { currentTurn } from "../../../engine/state.ts";
import type { Gate } from "../../../guard/gate.ts";
import type { Program } from "../../program.ts";
import type { Staff } from "./crew.ts";

interface Lending extends Pick<Staff, "open"> {
  program: Pick<Program, "config" | "store">;
  session: Session;
  temporary: string;
  gate(): Promise<Gate>;
  checkpoints(): Pick<Checkpoints, "close" | "ensure">;
}

export function staffOf({ program, session, open, checkpoints, temporary, gate }: Lending): Staff {
  const checkpoint = () => checkpoints().ensure(currentTurn(session.state)?.turn ?? 0);
  return {
    ...{ open, checkpoints },
    facts: () => program.store().facts(session.id),
    check: async (answer, signal) => {
      const { check: command } = program.config().settings.router;
      if (command === undefined) return undefined;
      const { checked } = await import("./check.ts");
      return checked({ temporary, gate, checkpoint }, { command, answer }, signal);
    },
  };
}
