import type { Effect, Reason } from "../../../protocol/effect.ts";
import { gitReaders } from "./table.ts";

/** A git command that only reads: by its verb, or as nothing is said against the part of the line that it stands in (`git stash list`). */
export const readsOnly = (
  { target, part }: Pick<Effect, "target" | "part">,
  reasons: readonly Pick<Reason, "risk" | "part">[],
): boolean =>
  gitReaders.has(target) ||
  (part !== undefined && reasons.every((reason) => reason.part !== part || reason.risk === "L0"));
