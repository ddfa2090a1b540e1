// The order of risks. Apart from their schema, so that judging does not load it.
import type { Risk } from "./effect.ts";

const order: Readonly<Record<Risk, number>> = { L0: 0, L1: 1, L2: 2, L3: 3 };

export const riskRank = (risk: Risk): number => order[risk];
export const higherRisk = (left: Risk, right: Risk): Risk => (order[left] >= order[right] ? left : right);
