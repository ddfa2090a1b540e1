// What a judgement gains inside of a task: the name that the plan holds a command by, and the hosts that it gets.
import { digestOf } from "../../base/digest.ts";
import type { Action, ActionOf } from "../../protocol/action.ts";
import type { Assessment, Effect } from "../../protocol/effect.ts";
import { higherRisk } from "../../protocol/risk.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import { syntaxDigest } from "../command-line/syntax/syntax-digest.ts";
import { plannedVariant } from "../planned-checks/variant.ts";

export function underPlan(action: Action, assessment: Assessment, task: EnvelopeTerms, workspace?: string): Assessment {
  if (action.kind === "forge") return { ...assessment, command: actName(action, task) };
  const command = commandOf(action, assessment, task, workspace);
  if (command === undefined) return assessment;
  return withHosts({ ...assessment, command }, plannedHosts(task, command) ?? []);
}

/** As it is, or, where the plan holds that, whatever commit it carries. */
function actName(action: ActionOf<"forge">, { acts = [] }: EnvelopeTerms): string {
  const { commit: _, ...whatever } = action;
  const open = digestOf(whatever);
  return acts.includes(open) && !acts.includes(digestOf(action)) ? open : digestOf(action);
}

function commandOf(
  action: Action,
  assessment: Assessment,
  { commands, amended, checks = [], paths }: EnvelopeTerms,
  workspace: string | undefined,
): string | undefined {
  if (action.kind === "program") return digestOf(action.argv);
  if (action.kind !== "shell") return undefined;
  const own = syntaxDigest(action.command);
  if (commands.includes(own) || amended.includes(own) || action.background || !onlyRuns(assessment)) return own;
  return plannedVariant(action.command, { checks, paths, workspace }) ?? own;
}

/**
 * A planned check in other words is that check, unless more is seen in it than that a program runs. A planned `tsc` is not
 * the package of that name, which `npx tsc` downloads where nothing of that name is installed.
 */
const onlyRuns = ({ effects, tags, reasons }: Assessment): boolean =>
  effects.every(({ kind }) => kind === "read" || kind === "execute") &&
  tags.every((tag) => ofChecks.has(tag)) &&
  reasons.every(({ code }) => code !== "package.unknown");

const ofChecks: ReadonlySet<string> = new Set([
  ...["process", "unknown-program", "unknown-option", "interpreter", "environment"],
  ...["install", "network", "declared-check", "declared-build"],
]);

/** Which hosts the plan gives to a command, and no others; undefined for one that it does not hold. */
export const plannedHosts = (task: EnvelopeTerms, command: string | undefined): readonly string[] | undefined =>
  command !== undefined && task.commands.includes(command) ? task.hosts : undefined;

/** A host is an upload, whoever named it: limits look at those of the plan as at those of the command. */
function withHosts(assessment: Assessment, hosts: readonly string[]): Assessment {
  const { effects, tags, risk, digest } = assessment;
  const named = new Set(effects.filter(({ kind }) => kind === "network").map(({ target }) => target));
  const more = hosts
    .filter((host) => !named.has(host))
    .map((target): Effect => ({ kind: "network", target, undo: "irreversible" }));
  if (more.length === 0) return assessment;
  return {
    ...assessment,
    effects: [...effects, ...more],
    tags: tags.includes("network") ? tags : [...tags, "network"].toSorted(),
    risk: higherRisk(risk, "L2"),
    digest: digestOf({ digest, hosts: more.map(({ target }) => target) }),
  };
}
