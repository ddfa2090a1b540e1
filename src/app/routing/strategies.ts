import type { StrategyName } from "../../protocol/router.ts";

/** Those that a turn can be carried out by. */
export const available: readonly StrategyName[] = ["single"];
