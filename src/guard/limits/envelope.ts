// Inside of a task: whatever the frozen plan does not hold is an amendment, asked or (strict) refused.
import type { Assessment, Effect } from "../../protocol/effect.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import { staysInLayer } from "../containment/containment.ts";
import { isHost } from "../matching/network-use.ts";
import { secretInContent } from "../firewall/tags.ts";
import { readsOnly } from "../programs/git/reads.ts";
import type { Limit } from "./limit.ts";

export const amendmentRule = "envelope.amendment";

export const envelopeScope: Limit = {
  name: "envelope",
  judge(assessment, context) {
    const { task } = context;
    if (!task || assessment.risk === "L0") return "pass";
    const written = writesRepository(assessment);
    if (written !== undefined) return { deny: written, rule: "envelope.git" };
    // What it writes beside the plan is dropped; a strict plan holds its commands, too.
    if (!task.strict && staysInLayer(assessment, context)) return "pass";
    const beyond = outside(assessment, task, context.workspace);
    if (beyond === undefined) return "pass";
    return task.strict
      ? { deny: `${beyond} is not in the frozen plan, and this task is strict.`, rule: "envelope.strict" }
      : { ask: `${beyond} is not in the frozen plan: approving it amends the plan.`, rule: amendmentRule };
  },
};

/**
 * Why a command is none for a task, planned or not: what runs beside a git that writes has the whole repository to
 * write in, the person's branches among it.
 */
export function writesRepository({ effects, tags, risk, reasons }: Assessment): string | undefined {
  if (risk === "L0" || !tags.includes("process")) return undefined;
  const found = effects.find((effect) => effect.kind === "vcs" && !readsOnly(effect, reasons));
  return (
    found && `In a task fettle itself writes to the repository, and no command does: leave git ${found.target} out.`
  );
}

/** What the plan does not hold, in words; undefined when it holds all of it. */
export function outside(
  { effects, command, tags, risk, reasons }: Assessment,
  task: EnvelopeTerms,
  workspace: string | undefined,
): string | undefined {
  if (command !== undefined) {
    if (task.acts?.includes(command)) return undefined;
    if (task.amended.includes(command)) return undefined;
    if (!task.commands.includes(command))
      return writesPlanned({ effects, tags, risk, reasons }, task, workspace)
        ? undefined
        : `The command ${reasons[0]?.part ?? ""}`.trim();
    const other = effects.find(
      ({ kind, target }) => kind === "network" && isHost(target) && !task.hosts.includes(target),
    );
    return other && `To reach ${other.target}`;
  }
  // What a plan holds of a file is its path: that something secret goes into it was never shown.
  if (tags.includes(secretInContent)) return `To write what looks like a secret`;
  const beyond = effects.find((effect) => !planned(effect, task, { workspace, risk }));
  if (beyond) return `To ${beyond.kind} ${relative(beyond.target, workspace) ?? beyond.target}`;
  return tags.includes("process") && effects.length === 0 ? "This command" : undefined;
}

/** A planned file may be written by any means of which all is known: `cat >>`, `sed -i`, `tee`, `mv`, a redirect. */
function writesPlanned(
  { effects, tags, risk, reasons }: Pick<Assessment, "effects" | "tags" | "risk" | "reasons">,
  { paths, writes, locked = [] }: EnvelopeTerms,
  workspace: string | undefined,
): boolean {
  const open = paths.filter((file) => writes?.includes(file) !== false && !locked.includes(file));
  const isOpen = ({ target, part = "" }: Effect) => {
    const file = relative(target, workspace);
    if (file === undefined) return false;
    return open.includes(file) || (/^mkdir (?:-p )?\S/.test(part) && open.some((each) => each.startsWith(`${file}/`)));
  };
  const changes = effects.filter(({ kind }) => kind !== "read" && kind !== "execute");
  const known = reasons.every((each) => each.risk === "L0" || each.risk === "L1" || changesFile.test(each.code));
  return (
    (risk === "L1" || risk === "L2") &&
    known &&
    tags.every((tag) => ofWriting.has(tag)) &&
    changes.some(({ kind }) => kind === "write" || kind === "delete") &&
    changes.every((effect) =>
      effect.kind === "write" || effect.kind === "delete"
        ? isOpen(effect)
        : effect.kind === "vcs" && readsOnly(effect, reasons),
    )
  );
}

/** All that may be said against it is which file it changes. */
const changesFile = /^path\.(?:own-)?(?:overwrite|delete|move|run-later)$/;
const ofWriting: ReadonlySet<string> = new Set(["process", "overwrite", "delete", "move", "run-later"]);

interface EnvelopeContext {
  workspace: string | undefined;
  risk: Assessment["risk"];
}

function planned({ kind, target }: Effect, task: EnvelopeTerms, { workspace, risk }: EnvelopeContext): boolean {
  if (kind === "read") return true;
  if (kind === "network") return task.hosts.includes(target);
  if (kind !== "write" && kind !== "delete") return false;
  const path = relative(target, workspace);
  // What is neither in the workspace nor asked for lies in the private temporary folder.
  return path === undefined ? risk === "L1" : task.paths.includes(path);
}

/** Undefined outside of the workspace. */
export const relative = (target: string, workspace: string | undefined): string | undefined =>
  workspace !== undefined && target.startsWith(`${workspace}/`) ? target.slice(workspace.length + 1) : undefined;
