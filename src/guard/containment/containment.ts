// Contained executions: what the layers of the sandbox make good. A property of what was assessed, never of a sentence.
import type { GateCall } from "../../protocol/action.ts";
import type { Assessment, Effect, Reason } from "../../protocol/effect.ts";
import { readsOnly } from "../programs/git/reads.ts";
import { explainedTags, removals, silentTags, unknownKind } from "../rules/unknown-reasons.ts";
import type { DecideContext } from "../contract/ports.ts";

export const containedText = "contained: it runs on a layer, and what it writes is looked at before it is kept";

export const heldText = "What it deletes or moves away that was there before waits for an answer.";

type Found = Pick<Assessment, "reasons" | "tags" | "effects">;

/**
 * Nothing that is known of it installs, publishes, commits, reaches the network, leaves the roots, or touches what is
 * sensitive or run later. A reason, a tag or an effect that is not known to be harmless here speaks against it. What `rm` and
 * `mv` take away stays in the workspace until the person has answered, so it speaks against nothing.
 */
export function layerHolds(found: Found): boolean {
  const asked = found.reasons.filter(({ risk }) => risk === "L2" || risk === "L3");
  const said = new Set(asked.map(({ code }) => code));
  const silent = (tag: string): boolean =>
    silentTags.has(tag) || (explainedTags.get(tag) ?? []).some((code) => said.has(code));
  // A program that stays writes what its command names itself, and what it has done is looked at long after.
  if (found.tags.includes("background") && takesAway(found)) return false;
  return (
    asked.every((reason) => reason.risk === "L2" && heldBack(reason, found)) &&
    found.tags.every(silent) &&
    found.effects.every((effect) => held(effect, found))
  );
}

/** What a move puts in the place of another file is sorted as any other write of a layer. */
function heldBack({ code, part }: Reason, { reasons }: Found): boolean {
  const beside = (pattern: RegExp): boolean => reasons.some((other) => other.part === part && pattern.test(other.code));
  if (code === "path.overwrite") return beside(/^path\.(own-)?move$/);
  // `rmdir` and `unlink`, by their rows: what they delete is named.
  if (code === "program.delete") return beside(/^path\.(own-|dynamic-)?delete$/);
  return unknownKind(code) !== undefined || removals.has(code);
}

/**
 * Its only reasons for a question are code or writes that are not known beforehand, what it takes away inside of the roots,
 * or what the session itself wrote. Only a program runs on a layer; beside that, a file tool may delete and rename what the
 * session wrote.
 */
export function containable(assessment: Assessment): boolean {
  const { risk, reasons, tags } = assessment;
  const asked = reasons.filter((reason) => reason.risk === "L2");
  if (risk !== "L2" || asked.length === 0 || !layerHolds(assessment)) return false;
  return tags.includes("process") || asked.every(({ code }) => unknownKind(code) === "own");
}

/** What a layer holds back: reading and running in the sandbox's view, and writing inside of the roots. */
function held({ kind, target, part, undo }: Effect, { reasons }: Found): boolean {
  switch (kind) {
    case "read":
    case "execute":
      return true;
    case "write":
      return undo !== "irreversible";
    case "delete":
      return reasons.some(
        ({ code, part: of }) => of === part && (/^path\.own-(delete|move)$/.test(code) || removals.has(code)),
      );
    case "vcs":
      return readsOnly({ target, part }, reasons);
    case "network":
    case "spawn":
      return false;
  }
}

/** Whether layers hold what runs in this session, and nobody has turned that off. */
export const layersHold = ({ layers, sandboxed, containment, checkpoints, policy }: DecideContext): boolean =>
  layers === true &&
  sandboxed &&
  containment !== "off" &&
  policy.allowContainment !== false &&
  // What is applied is covered by a checkpoint, or it could not be taken back.
  checkpoints !== false;

export const isContained = (assessment: Assessment, context: DecideContext): boolean =>
  layersHold(context) && containable(assessment) && !(context.task && takesAway(assessment));

/** Parts that take something away, or put something in its place, of which nobody said yet that it may go. */
export const removingParts = ({ reasons }: Found): ReadonlySet<string | undefined> =>
  new Set(reasons.filter(({ code }) => removals.has(code) || replaces.test(code)).map(({ part }) => part));

const replaces = /^(path\.overwrite|program\.delete)$/;

/** That is all it would be asked for. */
export const onlyRemoves = ({ reasons }: Found): boolean =>
  reasons.every(({ risk, code }) => risk === "L0" || risk === "L1" || removals.has(code));

const takesAway = (found: Found): boolean => removingParts(found).size > 0;

/** What a person types themselves is done as it was typed, so they are asked before it runs and not after. */
export const contextOf = ({ origin }: GateCall, assessment: Assessment, context: DecideContext): DecideContext =>
  origin === "person" && takesAway(assessment) ? { ...context, layers: false } : context;

/** In a task: a program whose writes a layer takes. What it writes beside the plan is dropped, so nothing is to be amended. */
export const staysInLayer = (assessment: Assessment, context: DecideContext): boolean =>
  layersHold(context) &&
  assessment.tags.includes("process") &&
  !takesAway(assessment) &&
  (containable(assessment) || (assessment.risk === "L1" && layerHolds(assessment)));

/** As the autonomy table counts it; everything else judges the bare assessment. */
export const asContained = (assessment: Assessment, context: DecideContext): Assessment =>
  isContained(assessment, context) ? { ...assessment, risk: "L1" } : assessment;
