// What a candidate is made from, besides its name.
import type { Settings } from "../../../io/config/settings.ts";
import type { Findings } from "../../../io/store/findings.ts";
import type { Pools } from "../../../model/pools/pools.ts";

export interface RoutingContext {
  settings: Pick<Settings, "model" | "providers" | "prices" | "router" | "cli">;
  env: Readonly<Record<string, string | undefined>>;
  findings: Findings;
  pools: Pick<Pools, "views">;
  /** Micro-dollars of the latest runs of another agent's program, by the name under which they were paid for. */
  runs(paidAs: string, most: number): readonly number[];
  /** Milliseconds that an answer of usual length takes; undefined where too few were measured. */
  pace(arm: string): number | undefined;
  sandboxed: boolean;
}
