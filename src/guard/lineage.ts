// Taint passes through files: who reads what a tainted session wrote is tainted, and what a tainted session writes taints.
import type { GateCall } from "../protocol/action.ts";
import type { Assessment, EffectKind } from "../protocol/effect.ts";
import type { Result } from "../protocol/result.ts";
import type { Taint } from "./firewall/finalize.ts";
import type { TaintedFiles } from "./contract/ports.ts";
import { textIn } from "../base/text-in.ts";

const targets = ({ effects }: Assessment, kinds: readonly EffectKind[]): string[] =>
  effects.filter(({ kind }) => kinds.includes(kind)).map(({ target }) => target);

/** What the call read of a tainted session's files. */
export function inheritedTaint(files: TaintedFiles, assessment: Assessment, result: Result): Taint[] {
  const read = targets(assessment, ["read"]);
  const source = read.length > 0 ? files.among(read, textIn(result.parts, "\n")) : undefined;
  return source === undefined ? [] : [{ source, why: "written by a session that had read text from outside" }];
}

/** What the call wrote is of a tainted session, or, whole and of one that is not, no longer is. */
export function handDownTaint(
  files: TaintedFiles,
  { call, assessment, tainted }: { call: GateCall; assessment: Assessment; tainted: boolean },
): void {
  if (tainted) {
    const written = targets(assessment, ["write"]);
    if (written.length > 0) files.add(written);
  } else if (
    call.action.kind === "change" &&
    call.action.changes.every(({ op }) => op === "write" || op === "delete")
  ) {
    files.forget(targets(assessment, ["write", "delete"]));
  }
}
