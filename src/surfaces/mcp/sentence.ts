import { machineFault } from "../../base/fault.ts";

/** Faults may come from another realm of the bundle: told by their shape. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = error.name === "Fault" ? error : machineFault(error);
  const remedy = known && "remedy" in known && typeof known.remedy === "string" ? ` ${known.remedy}` : "";
  return `${(known ?? error).message}${remedy}`;
}
