// Which model another agent's program is told to use, and at what price its run is counted.
import type { Settings } from "../../../io/config/settings.ts";
import { type Price, priceOf } from "../../../model/contract/pricing.ts";
import type { KnownProgram } from "../../../model/registry/command-line.ts";

/** By its own account, at the end of each run. */
export const reportsCost = (program: string): boolean => program === "claude";

/** One that does not say what it costs is told which model to use, whose price is known; undefined: it chooses itself. */
export const toldModel = (program: string, named: string | undefined, vendorsDefault: string | undefined) =>
  named ?? (reportsCost(program) ? undefined : vendorsDefault);

/** The name under which its runs are paid for. */
export const paidAs = (program: string, model: string | undefined): string =>
  model === undefined ? `cli/${program}` : `cli/${program}/${model}`;

/** As set for the arm, else the list's for the model. */
export function priceFor(
  { program, vendor }: Pick<KnownProgram, "program" | "vendor">,
  model: string | undefined,
  settings: Pick<Settings, "prices">,
): Price | undefined {
  const own = priceOf(`cli/${program}`, settings) ?? (model && priceOf(`cli/${program}/${model}`, settings));
  return own || (model === undefined ? undefined : priceOf(`${vendor}/${model}`, settings));
}
