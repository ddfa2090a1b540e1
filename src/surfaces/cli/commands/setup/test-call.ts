// One real request, named with its price before it is sent.
import type { TryPlan } from "../../../../protocol/models.ts";
import { asFault } from "../../host/failure.ts";
import { money } from "../../text/amounts.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Step } from "./step.ts";
import { words } from "./words.ts";

export const testStep: Step = async ({ context, asker, print, waitSecs, model }) => {
  if (model === undefined) {
    print(words.noneLeft);
    return;
  }
  await context.with({ headless: true }, async (client) => {
    try {
      const plan = await asker.unlessLeft(client.read("models.tryPlan", { model }));
      print(planText(plan));
      // Nothing whose price nobody knows is sent by Enter alone.
      if (!(await asker.yes(words.testAsk, plan.most !== null))) {
        print(words.testNot);
        return;
      }
      print(words.testing(safeLine(model), waitSecs));
      const limit = (plan.most ?? 0) + 10_000;
      await asker.unlessLeft(client.send({ type: "models.try", model, limit, patienceSecs: waitSecs }));
      print(words.testOk(safeLine(model)));
    } catch (error) {
      const fault = asFault(error);
      if (!fault) throw error;
      print(words.testFailed(safeLine(fault.message)));
      if (fault.remedy) print(safeLine(fault.remedy));
    }
  });
};

function planText({ model, tokens, most }: TryPlan): string {
  const name = safeLine(model);
  if (most === 0) return words.testFree(name);
  return most === null ? words.testUnpriced(name, tokens) : words.testCosts(name, tokens, money(most));
}
