// Rules proposed from the past, and the person's own step of adopting them.
import { digestOf } from "../../base/digest.ts";
import { Fault } from "../../base/fault.ts";
import { lineDiff } from "../../base/line-diff.ts";
import { readEntries } from "../../guard/ledger/ledger.ts";
import { suggestRules, type Suggestion } from "../../guard/suggestions.ts";
import { type NewRule, type RulesEdit, withRules, writeRules } from "../../io/config/rules-edit.ts";
import { Exit } from "../../protocol/exit.ts";
import type { PolicySuggestions, SuggestArgs } from "../../protocol/policy.ts";
import { withLedger } from "../record/audit.ts";
import { factsOf, personName } from "../program/machine.ts";
import type { Program } from "../program/program.ts";
import { newContext } from "../session/new-context.ts";

const usually = 3;

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

function ruleOf({ program, args, examples, approvals }: Suggestion): NewRule {
  const last = approvals.slice(-3).map(({ at }) => day(at));
  const more = approvals.length > last.length ? `, last ${last.join(", ")}` : `: ${last.join(", ")}`;
  const people = [...new Set(approvals.map(({ by }) => by))].join(", ");
  const comment = `approved ${approvals.length} times by ${people}${more} (UTC)`;
  return { comment: comment.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, "?"), program, args, match: examples };
}

interface Proposal {
  readonly answer: PolicySuggestions;
  readonly edit: RulesEdit;
}

async function propose(program: Program, { least = usually, since }: SuggestArgs): Promise<Proposal> {
  const entries = readEntries(program.project.ledger, since === undefined ? {} : { since });
  const context = { ...newContext(program), workspace: program.workspace };
  const { suggestions, withheld } = await suggestRules(entries, { facts: factsOf(program), context, least });
  const { workspace, places, env } = program;
  const edit = withRules({ workspace, places, env }, suggestions.map(ruleOf));
  const change = await lineDiff(edit.before, edit.after);
  const file = {
    path: edit.file,
    change: edit.before === "" ? ("created" as const) : ("modified" as const),
    ...change,
  };
  return {
    edit,
    answer: {
      suggestions,
      withheld,
      file: edit.file,
      diff: { files: suggestions.length === 0 ? [] : [file] },
      digest: digestOf([edit.before, edit.after]),
    },
  };
}

export const suggest = async (program: Program, args: SuggestArgs): Promise<PolicySuggestions> =>
  (await propose(program, args)).answer;

/** Writes exactly what was shown; anything else has to be looked at again. */
export async function adopt(program: Program, digest: string, args: SuggestArgs): Promise<void> {
  const { edit, answer } = await propose(program, args);
  if (answer.digest !== digest)
    throw new Fault(
      "policy.suggestion-changed",
      Exit.failed,
      "The proposal is no longer the one that was shown.",
      "Look at it again with fettle policy suggest.",
    );
  if (answer.suggestions.length === 0)
    throw new Fault("policy.nothing", Exit.usage, "Nothing is proposed.", "Come back when you have approved more.");
  await writeRules(edit);
  const rules = answer.suggestions.map(({ program: name, args: words }) => [name, ...words].join(" "));
  withLedger(program, (ledger) => ledger.note("policy.adopted", { by: personName(), file: edit.file, rules }));
}
