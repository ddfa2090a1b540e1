// Tries an arm out for a person who asked for it: paid for, limited and recorded as every other call is.
import { randomBytes } from "node:crypto";
import { Fault } from "../base/fault.ts";
import { allowCall, costOfAnswer } from "../engine/budget/calls.ts";
import { createFirewall } from "../guard/firewall/firewall.ts";
import { keepFindings } from "../io/store/findings.ts";
import type { Arm } from "../model/arm.ts";
import { type Ask, probe } from "../model/registry/probe.ts";
import { createWire } from "../model/wire.ts";
import { Exit } from "../protocol/exit.ts";
import type { ProbeReport } from "../protocol/models.ts";
import { WireFault } from "../protocol/request.ts";
import { armSource } from "./arms.ts";
import { findingsFile } from "./findings.ts";
import { limitOf, type Money, openMoney } from "./money.ts";
import { openPools } from "./pools.ts";
import type { Program } from "./program.ts";

const patienceMs = 60_000;

/** Rejects with a Fault where the arm cannot be asked at all. */
export async function probeArm(program: Program, model: string): Promise<ProbeReport> {
  const arm = await armSource(program)(model);
  const money = openMoney(program);
  let cost: number | null = 0;
  const ask = asking(program, { arm, money }, (more) => {
    cost = cost === null || more === null ? null : cost + more;
  });
  try {
    const { capabilities, notes } = await probe(arm.model, ask);
    keepFindings(findingsFile(program), { [arm.name]: { at: Date.now(), capabilities, probed: true } });
    return { model: arm.name, capabilities, notes, cost };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    throw new Fault("model.no-probe", Exit.failed, error.message, "Look at it again with: fettle models");
  } finally {
    money.close();
  }
}

function asking(
  program: Program,
  { arm, money }: { arm: Arm; money: Money },
  paid: (cost: number | null) => void,
): Ask {
  const { budget } = program.config().settings;
  const limits = { day: limitOf(budget.daily_limit_usd), month: limitOf(budget.monthly_limit_usd) };
  const node = money.root(() => limits).child("session", "models --probe", limitOf(budget.session_limit_usd));
  const firewall = createFirewall(randomBytes(32), undefined);
  const wire = createWire({ pools: openPools(program, money), tries: 2 });
  return async (request) => {
    const allowance = allowCall(arm, request, node);
    if ("refused" in allowance) {
      throw new Fault(
        "budget.refused",
        Exit.budget,
        `Not tried: ${allowance.refused}.`,
        "Raise the limit that is named.",
      );
    }
    const since = performance.now();
    const signal = AbortSignal.timeout(patienceMs);
    const bounded = { ...request, maxOutputTokens: allowance.maxOutput };
    try {
      for await (const part of wire.stream(arm, firewall.scrub(bounded), { signal, waiting: () => undefined })) {
        if (part.type !== "end") continue;
        const cost = costOfAnswer(arm, bounded, part);
        paid(cost);
        money.recordOther({
          what: "models --probe",
          model: arm.name,
          usage: part.usage,
          cost,
          ms: performance.now() - since,
        });
        allowance.held?.commit(cost ?? 0);
        return part;
      }
      throw new WireFault("protocol", `${arm.name} ended its answer without saying so`);
    } finally {
      allowance.held?.release();
    }
  };
}
