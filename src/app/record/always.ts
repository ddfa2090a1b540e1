// "Always": the answer, and the rule that it writes into the person's own configuration, exactly as it was shown.
import { isA, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import { type NewRule, ruleText, withRules, writeRules } from "../../io/config/rules-edit.ts";
import type { RuleOffer } from "../../protocol/approval.ts";
import { Exit } from "../../protocol/exit.ts";
import { showApproval } from "./approvals.ts";
import { withLedger } from "./audit.ts";
import { personName } from "../program/machine.ts";
import type { Program } from "../program/program.ts";

const comment = "You answered a question of the gate with: always.";

const editOf = ({ workspace, places, env }: Program, rules: readonly NewRule[]) =>
  withRules({ workspace, places, env }, rules);

/** What the card offers: the rule, the text that would be added, and the file that it is added to; undefined while that file is broken. */
export const offerOf = (program: Program, rule: Omit<NewRule, "comment">): RuleOffer | undefined =>
  withFallback(undefined, isA(Fault), () => {
    const { file } = editOf(program, []);
    const { program: name, args, match } = rule;
    return { program: name, args: [...args], match: [...match], text: ruleText({ comment, ...rule }), file };
  });

/** Gives the answer, then writes the rule: an answer that does not count writes nothing. Throws a Fault. */
export async function answerAlways(program: Program, nonce: string, give: () => Promise<void>): Promise<void> {
  const { request } = showApproval(program, nonce);
  const { always } = request;
  if (!always) return give();
  const { program: name, args, match } = always;
  const edit = editOf(program, [{ comment, program: name, args, match }]);
  if (edit.file !== always.file || !edit.after.endsWith(always.text))
    throw new Fault(
      "always.changed",
      Exit.failed,
      "The rule would no longer be written as it was shown.",
      "Approve it once, or for this session.",
    );
  await give();
  await writeRules(edit);
  const rules = [[name, ...args].join(" ")];
  withLedger(program, (ledger) => ledger.note("policy.adopted", { by: personName(), file: edit.file, rules }));
}
