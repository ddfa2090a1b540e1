// The pools of this user: the person's configuration, and what providers tell, in the file that all processes share.
import type { Pool } from "../../../model/pools/limits.ts";
import { Pools } from "../../../model/pools/pools.ts";
import { pause } from "../../../model/wire.ts";
import type { Money } from "../../record/money.ts";
import type { Program } from "../../program/program.ts";

export const configuredPools = (program: Program): Pool[] =>
  Object.entries(program.config().settings.pools).map(([name, limits]) => ({ name, limits }));

export const openPools = (program: Program, money: Pick<Money, "purse">): Pools =>
  new Pools({
    pools: configuredPools(program),
    // What an incognito session was told is forgotten with it; what it drew is gone for everybody.
    store: () => {
      const { pools } = money.purse();
      return program.incognito ? { ...pools, hear: () => undefined } : pools;
    },
    now: Date.now,
    pause,
  });
