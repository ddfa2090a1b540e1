// `fettle deny`.
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import { answered, give } from "./answer.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Define } from "../../host/grammar.ts";
import { option } from "../../host/options.ts";

export const words = phrases("approvalsDeny", {
  help: {
    why: "what the model is told",
  },
  lesson: {
    examples: [
      ['fettle deny 3f2a --why "use the trash instead"', "this one call of a run; the model hears why and goes on"],
      [
        'fettle task reject 80ab --why "it changes the interface"',
        "the plan or the result of a task: it asks what should be otherwise",
      ],
      ["fettle stop 20261122-8b8c77", "not one call but the run itself"],
    ],
    exits: answered,
  },
  whyNeeded: "A denial needs a reason for the model.",
  whyRemedy: (id: string) => `Give it: fettle deny ${id} --why "use the trash instead"`,
});

export const define: Define = (command, start) =>
  start<{ why?: string; as?: string }>(
    command.option("--why <text>", words.help.why).option("--as <identity>", option.as),
    (context, [id = ""], { why, as }) => deny(context, { id, why, as }),
    { lesson: words.lesson },
  );

function deny(context: Context, given: { id: string; why: string | undefined; as: string | undefined }) {
  const reason = given.why?.trim();
  if (!reason) throw usageFault(words.whyNeeded, words.whyRemedy(given.id));
  return give(context, { ...given, answer: { kind: "deny", reason } });
}
