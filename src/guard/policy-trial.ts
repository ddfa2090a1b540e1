// The examples that a policy carries, judged under it.
import type { PolicyExample } from "../io/config/policy-examples.ts";
import type { PolicyTestRow } from "../protocol/policy.ts";
import { assess } from "./assess/assess.ts";
import { decide } from "./decide.ts";
import { actionOf, fixedContext, fixedFacts, type ToAction } from "./explain.ts";
import type { Policy } from "./contract/ports.ts";

/** The context of `explain --batch`, so that answers are the same on every machine, with this policy and what the example says. */
export function tryExamples(
  examples: readonly PolicyExample[],
  policy: Policy,
  { workspace, toAction }: { workspace: string; toAction: ToAction },
): PolicyTestRow[] {
  const facts = fixedFacts(workspace);
  return examples.map((example): PolicyTestRow => {
    const { place, tool, input, expect, autonomy, role } = example;
    const row = { place, tool, input, expect, ...(example.rule !== undefined && { expectRule: example.rule }) };
    const mapped = actionOf(tool, input, toAction);
    if ("problem" in mapped) {
      return { ...row, verdict: "deny", rule: "schema", text: mapped.problem, ok: false };
    }
    const context = {
      ...fixedContext,
      ...{ policy, workspace },
      ...(autonomy !== undefined && { autonomy }),
      ...(role !== undefined && { role }),
    };
    const { verdict, rule, text } = decide(assess(mapped.action, facts), context);
    const ok = verdict === expect && (example.rule === undefined || example.rule === rule);
    return { ...row, verdict, rule, text, ok };
  });
}
