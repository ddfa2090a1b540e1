// Money spent by this user, over all projects: opened only when a priced round or a monthly limit asks for it.
import path from "node:path";
import { makePrivateFolder } from "../io/places.ts";
import { openSpend } from "../io/store/spend.ts";
import type { FactOf } from "../protocol/event.ts";
import type { Program } from "./program.ts";

export interface Money {
  record(session: string, round: FactOf<"round.ended">): void;
  /** Micro-dollars since the first of this month, UTC. */
  month(): number;
  close(): void;
}

export function openMoney(program: Program): Money {
  let spend: ReturnType<typeof openSpend> | undefined;
  const opened = () => {
    if (!spend) {
      makePrivateFolder(program.places.state);
      spend = openSpend(path.join(program.places.state, "spend.db"));
    }
    return spend;
  };
  return {
    record(session, round) {
      if (round.cost) opened().add({ at: Date.now(), session, model: round.model, micro: round.cost });
    },
    month() {
      const now = new Date();
      return opened().since(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    },
    close() {
      spend?.close();
    },
  };
}

/** US dollars of the configuration to micro-dollars; 0 is no limit. */
export const limitOf = (dollars: number): number | undefined => (dollars > 0 ? Math.round(dollars * 1e6) : undefined);
