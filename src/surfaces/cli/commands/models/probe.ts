// `fettle models probe`: says what real requests would cost, asks, sends them, and tells what they have shown.
import type { Client } from "../../../../protocol/client.ts";
import type { ProbePlan, ProbeReport, WindowReport } from "../../../../protocol/models.ts";
import { confirm } from "../../host/ask.ts";
import type { Context } from "../../host/context.ts";
import { asFault, usageFault } from "../../host/failure.ts";
import { amount } from "../../host/flags.ts";
import { count, money } from "../../text/amounts.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { wrap } from "../../text/width.ts";
import { phrases } from "../../../phrases/phrases.ts";

export const words = phrases("modelsProbe", {
  probing: (model: string) => `Trying out ${model} ...`,
  probePlan: (model: string, requests: number, tokens: string) =>
    `${model}: up to ${requests} real requests with up to ${tokens} tokens together.`,
  probeSmall: "It is tried whether it calls tools, sees images and reasons.",
  probeWindow: (claimed: string) =>
    `It is tried whether it calls tools, sees images and reasons, and whether it reads the ${claimed} tokens that are claimed.`,
  probeFree: "That costs nothing.",
  probePrice: (likely: string, most: string, limit: string) =>
    `That probably costs ${likely}, ${most} at most; it stops before ${limit} (--max-cost).`,
  probeShort: (likely: string, limit: string, needed: string) =>
    `All of it probably costs ${likely}. It stops before ${limit}, so its whole window is not tried; for that: --max-cost ${needed}`,
  probeUnpriced: (model: string) =>
    `Its price is unknown, so no limit of money can hold. Set it first: fettle models price ${model} INPUT OUTPUT`,
  probeAsk: (count: number) => (count === 1 ? "Try it out?" : `Try these ${count} out?`),
  probeNeedsYes: "Trying out a model sends real requests, which may cost money, and needs a yes.",
  probeNeedsYesRemedy: "Give --yes where nobody can answer; --max-cost says how much it may cost.",
  probeNone: "No model is named that could be tried out.",
  probeNoneRemedy: "Name one that `fettle models` shows: fettle models probe PROVIDER/MODEL",
  windowWhole: (read: string) => `window: it reads the ${read} tokens that are claimed`,
  windowLess: (claimed: string, read: string, missed: string) =>
    `window: it reads ${read} tokens and not ${missed}, where ${claimed} are claimed; from now on ${read} count`,
  windowRange: (read: string, missed: string) =>
    `window: it reads ${read} tokens and not ${missed}; that is too rough to be kept`,
  windowUnknown: (read: string) => `window: it was seen to read ${read} tokens`,
  windowNot: "window: not tried",
  windowStopped: (why: string) => `the search for the window ended early: ${why}`,
  windowWhy: (why: string) => `its server said: ${why}`,
  probeCost: (cost: string) => `That has cost ${cost}.`,
});

export interface ProbeFlags {
  maxCost: string;
  yes?: true;
  window: boolean;
}

export async function probeModels(context: Context, models: readonly string[], options: ProbeFlags): Promise<number> {
  if (models.length === 0) throw usageFault(words.probeNone, words.probeNoneRemedy);
  const window = options.window;
  const limit = Math.round(amount("--max-cost", options.maxCost) * 1e6);
  return context.with({ headless: true }, async (client) => {
    const plans = await Promise.all(models.map((model) => client.read("models.probePlan", { model, window })));
    // With --json the answer alone is on standard output; who asks still reads first what it costs.
    const { look, write } = context.options.json
      ? { look: context.look("stderr"), write: (line: string) => context.err.line(line) }
      : { look: context.look(), write: (line: string) => context.out.line(line) };
    for (const line of plans.flatMap((plan) => planLines(plan, limit, look))) write(line);
    if (options.yes !== true) {
      if (!context.interactive) throw usageFault(words.probeNeedsYes, words.probeNeedsYesRemedy);
      if (!(await confirm(context, words.probeAsk(plans.length)))) return 1;
    }
    const told: unknown[] = [];
    let failed = false;
    for (const { model } of plans) {
      if (!context.options.json) context.out.line(words.probing(safeLine(model)));
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
    return report ?? { model: wish.model, problem: words.windowNot };
  } catch (error) {
    const fault = asFault(error);
    if (!fault) throw error;
    return { model: wish.model, problem: fault.message };
  }
}

function planLines(plan: ProbePlan, limit: number, { width }: Look): string[] {
  const { likely, most, needed } = plan;
  const model = safeLine(plan.model);
  const what = plan.window ? words.probeWindow(count(plan.contextTokens)) : words.probeSmall;
  const price =
    most === null || likely === null || needed === null
      ? [words.probeUnpriced(model)]
      : most === 0
        ? [words.probeFree]
        : needed > limit
          ? [words.probeShort(money(likely), money(limit), (Math.ceil(needed / 1e4) / 100).toFixed(2))]
          : [words.probePrice(money(likely), money(Math.min(most, limit)), money(limit))];
  const [head, ...rest] = [words.probePlan(model, plan.requests, count(plan.tokens)), what, ...price];
  return [...wrap(head, width), ...rest.flatMap((text) => wrap(text, width - 2)).map((line) => `  ${line}`)];
}

function outcomeLines(outcome: Outcome, { style, width }: Look): string[] {
  const paint = "problem" in outcome ? style.yellow : style.dim;
  const notes =
    "problem" in outcome
      ? [outcome.problem]
      : [
          ...outcome.notes,
          ...(outcome.window ? windowLines(outcome.window, outcome.contextTokens) : [words.windowNot]),
          words.probeCost(money(outcome.cost)),
        ];
  return notes.flatMap((note) => wrap(safeLine(note), width - 4)).map((line) => `  ${paint(line)}`);
}

function windowLines({ claimed, read, missed, why, stopped }: WindowReport, kept: number): string[] {
  const shown =
    read === 0
      ? words.windowNot
      : read === claimed
        ? words.windowWhole(count(read))
        : missed === undefined
          ? words.windowUnknown(count(read))
          : kept === read
            ? words.windowLess(count(claimed), count(read), count(missed))
            : words.windowRange(count(read), count(missed));
  return [
    shown,
    ...(why === undefined ? [] : [words.windowWhy(why)]),
    ...(stopped === undefined ? [] : [words.windowStopped(stopped)]),
  ];
}
