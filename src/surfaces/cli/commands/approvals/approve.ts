// `fettle approve`.
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import { answered, give } from "./answer.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Define } from "../../host/grammar.ts";
import { option } from "../../host/options.ts";

export const words = phrases("approvalsApprove", {
  help: {
    forSession: "the same again in this session, too",
    forLike: "in this session also what the shown pattern covers",
    forAlways: "for good: write the shown rule into your own configuration",
  },
  lesson: {
    examples: [
      ["fettle approve 3f2a", "this one call of a run; the beginning of its id is enough"],
      ["fettle approve 3f2a --session", "and the same again, while that session runs"],
      ["fettle approve 3f2a --like", "and what its pattern covers; fettle approvals 3f2a shows it first"],
      ["fettle approve 3f2a --always", "and for good: the rule that fettle approvals 3f2a shows is written"],
      ["fettle task approve 80ab", "the plan or the result of a task, by the task's id"],
    ],
    exits: answered,
  },
  oneOf: "--session, --like and --always exclude each other.",
  oneOfRemedy: (id: string) => `Give one of them: fettle approve ${id} --like`,
});

export const define: Define = (command, start) =>
  start<{ session?: true; like?: true; always?: true; as?: string }>(
    command
      .option("--session", words.help.forSession)
      .option("--like", words.help.forLike)
      .option("--always", words.help.forAlways)
      .option("--as <identity>", option.as),
    (context, [id = ""], options) =>
      approve(context, {
        id,
        wider: (["session", "like", "always"] as const).filter((name) => options[name]),
        as: options.as,
      }),
    { lesson: words.lesson },
  );

interface Approving {
  id: string;
  wider: readonly ("session" | "like" | "always")[];
  as: string | undefined;
}

function approve(context: Context, { id, wider, as }: Approving): Promise<number> {
  const [kind = "approve", ...more] = wider;
  if (more.length > 0) throw usageFault(words.oneOf, words.oneOfRemedy(id));
  return give(context, { id, as, answer: { kind } });
}
