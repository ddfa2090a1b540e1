// How long arms take to answer: measured with each call, kept with what it cost.
import { isA, withFallback } from "../../../base/fallback.ts";
import { Fault } from "../../../base/fault.ts";
import { enoughAnswers, latencyOf } from "../../../model/router/latency.ts";
import type { RouterLatency } from "../../../protocol/router.ts";
import { type Money, openMoney } from "../../record/money.ts";
import type { Program } from "../../program/program.ts";

/** The latest answers of an arm say how fast it is now: its server may be another one than a month ago. */
const latest = 50;
const longestMs = 45 * 86_400_000;

const takenIn = new WeakSet<Money>();

/** Undefined where too few were measured, or what was cannot be read: choosing goes on without. */
export const paceOf = (money: Money, arm: string): number | undefined =>
  withFallback(undefined, isA(Fault), () => {
    const purse = money.purse();
    if (!takenIn.has(money)) purse.takeIn();
    takenIn.add(money);
    const answers = purse.spend.answerTimes(arm, Date.now() - longestMs, latest);
    return answers.length < enoughAnswers ? undefined : latencyOf(answers)?.paceMs;
  });

/** Of all that were measured, by name. */
export function latencies(program: Program): RouterLatency[] {
  if (program.incognito) return [];
  const money = openMoney(program);
  try {
    const purse = money.purse();
    purse.takeIn();
    const since = Date.now() - longestMs;
    return purse.spend.timedModels(since).flatMap((arm) => {
      const latency = latencyOf(purse.spend.answerTimes(arm, since, latest));
      return latency ? [{ arm, ...latency }] : [];
    });
  } finally {
    money.close();
  }
}
