// Contained executions: what the layers of the sandbox make good. A property of what was assessed, never of a sentence.
import type { Assessment, Effect } from "../../protocol/effect.ts";
import { gitReaders } from "./git.ts";
import { explainedTags, silentTags, unknownKind } from "./unknown-reasons.ts";
import type { DecideContext } from "../contract/ports.ts";

export const containedText = "contained: it runs on a layer, and what it writes is looked at before it is kept";

type Found = Pick<Assessment, "reasons" | "tags" | "effects">;

/**
 * Nothing that is known of it deletes, installs, publishes, commits, reaches the network, leaves the roots, or touches what
 * is sensitive or run later. A reason, a tag or an effect that is not known to be harmless here speaks against it.
 */
export function layerHolds(found: Found): boolean {
  const asked = found.reasons.filter(({ risk }) => risk === "L2" || risk === "L3");
  const said = new Set(asked.map(({ code }) => code));
  const silent = (tag: string): boolean =>
    silentTags.has(tag) || (explainedTags.get(tag) ?? []).some((code) => said.has(code));
  return (
    asked.every(({ risk, code }) => risk === "L2" && unknownKind(code) !== undefined) &&
    found.tags.every(silent) &&
    found.effects.every((effect) => held(effect, found))
  );
}

/**
 * Its only reasons for a question are code or writes that are not known beforehand, or what the session itself wrote. Only
 * a program runs on a layer; beside that, a file tool may delete and rename what the session wrote.
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
        (reason) => (reason.code === "path.own-delete" || reason.code === "path.own-move") && reason.part === part,
      );
    case "vcs":
      return gitReaders.has(target);
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
  layersHold(context) && containable(assessment);

/** In a task: a program whose writes a layer takes. What it writes beside the plan is dropped, so nothing is to be amended. */
export const staysInLayer = (assessment: Assessment, context: DecideContext): boolean =>
  layersHold(context) &&
  assessment.tags.includes("process") &&
  (containable(assessment) || (assessment.risk === "L1" && layerHolds(assessment)));

/** As the autonomy table counts it; everything else judges the bare assessment. */
export const asContained = (assessment: Assessment, context: DecideContext): Assessment =>
  isContained(assessment, context) ? { ...assessment, risk: "L1" } : assessment;
