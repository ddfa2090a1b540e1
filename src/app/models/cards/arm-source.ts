import type { Arm } from "../../../model/contract/arm.ts";

/**
 * Resolves a model name once per process; with `--record` the provider is wrapped by the recorder. A word that leaves
 * the choice to the router resolves to what is expected to be best.
 */
export type ArmSource = (name: string) => Promise<Arm>;
