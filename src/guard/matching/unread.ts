// Files that rules forbid to read by their path alone: whatever goes through folders must pass by them, too.
import type { Policy, Rule } from "../contract/ports.ts";
import { pathMatches } from "./patterns.ts";

interface InForce {
  rules: readonly Rule[];
  policy: Pick<Policy, "denyRules">;
}

const forbids = ({ action, effect, program, args, hosts }: Rule): boolean =>
  action === "deny" && (!effect || effect.includes("read")) && !program && !args && !hosts;

/** Undefined where no rule says so. Paths are real and absolute. */
export function unreadFiles({ rules, policy }: InForce, workspace: string): ((file: string) => boolean) | undefined {
  const globs = [...rules, ...policy.denyRules].filter(forbids).flatMap(({ paths }) => paths ?? []);
  if (globs.length === 0) return undefined;
  return (file) => globs.some((glob) => pathMatches(file, glob, workspace, true));
}
