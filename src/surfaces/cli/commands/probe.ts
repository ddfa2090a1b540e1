// `fettle models probe`: says what real requests would cost, asks, sends them, and tells what they have shown.
import type { Client } from "../../../protocol/client.ts";
import type { ProbePlan, ProbeReport, WindowReport } from "../../../protocol/models.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { amount } from "../host/flags.ts";
import type { Job } from "../grammar/grammar.ts";
import { count, money } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { wrap } from "../text/width.ts";
import { reports } from "../words/reports.ts";

const usualLimit = "2";

export async function probeModels(
  context: Context,
  models: readonly string[],
  options: Job["options"],
): Promise<number> {
  if (models.length === 0) throw usageFault(reports.probeNone, reports.probeNoneRemedy);
  const window = options["window"] !== false;
  const limit = Math.round(amount("--max-cost", options.maxCost ?? usualLimit) * 1e6);
  return context.with({ headless: true }, async (client) => {
    const plans = await Promise.all(models.map((model) => client.read("models.probePlan", { model, window })));
    // With --json the answer alone is on standard output; who asks still reads first what it costs.
    const { look, write } = context.options.json
      ? { look: context.look("stderr"), write: (line: string) => context.err.line(line) }
      : { look: context.look(), write: (line: string) => context.out.line(line) };
    for (const line of plans.flatMap((plan) => planLines(plan, limit, look))) write(line);
    if (options["yes"] !== true) {
      if (!context.interactive) throw usageFault(reports.probeNeedsYes, reports.probeNeedsYesRemedy);
      if (!(await confirm(context, reports.probeAsk(plans.length)))) return 1;
    }
    const told: unknown[] = [];
    let failed = false;
    for (const { model } of plans) {
      if (!context.options.json) context.out.line(reports.probing(safeLine(model)));
      const outcome = await probed(client, { model, window, limit });
      told.push(outcome);
      failed ||= "problem" in outcome;
      if (!context.options.json) context.lines(outcomeLines(outcome, context.look()));
    }
    if (context.options.json) context.json(told);
    return failed ? 1 : 0;
  });
}

type Outcome = ProbeReport | { model: string; problem: string };

async function probed(client: Client, wish: { model: string; window: boolean; limit: number }): Promise<Outcome> {
  try {
    await client.send({ type: "models.probe", ...wish });
    const report = await client.read("models.probed", { model: wish.model });
    return report ?? { model: wish.model, problem: reports.windowNot };
  } catch (error) {
    const fault = asFault(error);
    if (!fault) throw error;
    return { model: wish.model, problem: fault.message };
  }
}

function planLines(plan: ProbePlan, limit: number, { width }: Look): string[] {
  const { likely, most, needed } = plan;
  const model = safeLine(plan.model);
  const what = plan.window ? reports.probeWindow(count(plan.contextTokens)) : reports.probeSmall;
  const price =
    most === null || likely === null || needed === null
      ? [reports.probeUnpriced(model)]
      : most === 0
        ? [reports.probeFree]
        : needed > limit
          ? [reports.probeShort(money(likely), money(limit), (Math.ceil(needed / 1e4) / 100).toFixed(2))]
          : [reports.probePrice(money(likely), money(Math.min(most, limit)), money(limit))];
  const [head, ...rest] = [reports.probePlan(model, plan.requests, count(plan.tokens)), what, ...price];
  return [...wrap(head, width), ...rest.flatMap((text) => wrap(text, width - 2)).map((line) => `  ${line}`)];
}

function outcomeLines(outcome: Outcome, { style, width }: Look): string[] {
  const paint = "problem" in outcome ? style.yellow : style.dim;
  const notes =
    "problem" in outcome
      ? [outcome.problem]
      : [
          ...outcome.notes,
          ...(outcome.window ? windowLines(outcome.window, outcome.contextTokens) : [reports.windowNot]),
          reports.probeCost(money(outcome.cost)),
        ];
  return notes.flatMap((note) => wrap(safeLine(note), width - 4)).map((line) => `  ${paint(line)}`);
}

function windowLines({ claimed, read, missed, why, stopped }: WindowReport, kept: number): string[] {
  const shown =
    read === 0
      ? reports.windowNot
      : read === claimed
        ? reports.windowWhole(count(read))
        : missed === undefined
          ? reports.windowUnknown(count(read))
          : kept === read
            ? reports.windowLess(count(claimed), count(read), count(missed))
            : reports.windowRange(count(read), count(missed));
  return [
    shown,
    ...(why === undefined ? [] : [reports.windowWhy(why)]),
    ...(stopped === undefined ? [] : [reports.windowStopped(stopped)]),
  ];
}
