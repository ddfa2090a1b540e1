// A rule may carry commands that it must cover and must not cover; a rule that does not do as it says is an error.
import { configFault } from "./layers.ts";
import type { RuleSettings } from "./setting-kinds.ts";

export type RuleMatcher = (rule: RuleSettings, command: string) => boolean;

export const hasExamples = ({ match, not_match }: RuleSettings): boolean =>
  (match?.length ?? 0) + (not_match?.length ?? 0) > 0;

/** Throws a Fault that names the rule. Called by who knows the facts that matching needs, before anything runs. */
export function checkExamples(rules: readonly RuleSettings[], matches: RuleMatcher): void {
  for (const rule of rules) {
    const examples = [
      ...(rule.match ?? []).map((command) => ({ command, wanted: true })),
      ...(rule.not_match ?? []).map((command) => ({ command, wanted: false })),
    ];
    for (const { command, wanted } of examples) {
      if (matches(rule, command) === wanted) continue;
      throw configFault(
        "example",
        `${rule.place === undefined ? "" : `${rule.place}: `}${rule.source}: the rule ${wanted ? "does not cover" : "covers"} its example \`${command}\`.`,
        `Correct the rule, or its ${wanted ? "match" : "not_match"} list.`,
      );
    }
  }
}
