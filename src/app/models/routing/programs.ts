// Other agents' programs among what the router chooses from: what a run is expected to cost, and when none is started unasked.
import { assess } from "../../../guard/assess/assess.ts";
import { decide } from "../../../guard/decide.ts";
import { lowerRole } from "../../../guard/limits/role.ts";
import { keyOf } from "../../../model/arms.ts";
import { expectedRun } from "../../../model/cli-agents/estimate.ts";
import { type Endpoint, endpoints } from "../../../model/contract/endpoints.ts";
import { type KnownProgram, programCard, programNamed } from "../../../model/registry/command-line.ts";
import type { Candidate } from "../../../model/router/candidate.ts";
import { usualVolume } from "../../../model/router/score.ts";
import type { SessionState } from "../../../engine/session/state.ts";
import { actingRole } from "../../program/caller.ts";
import { paidAs, priceFor, toldModel } from "../cli-agents/price.ts";
import { commandLineAgents } from "../cards/command-line-agents.ts";
import { factsOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";
import { newContext } from "../../session/new-context.ts";
import type { RoutingContext } from "./context.ts";

const mostRuns = 20;

/** When it is installed: it works as its vendor's large models do. */
export async function programCandidate(name: string, around: RoutingContext): Promise<Candidate[]> {
  const { settings, env } = around;
  const named = programNamed(name);
  if (!named || !commandLineAgents(env).some(({ model }) => model === `cli/${named.known.program}`)) return [];
  const { known } = named;
  const { name: arm, capabilities, contextTokens, maxOutput } = programCard(known);
  const endpoint = endpoints(settings, env).get(known.vendor);
  const model = toldModel(known.program, named.model, endpoint?.defaultModel);
  const price = priceFor(known, model ?? endpoint?.defaultModel, settings);
  const runs = around.runs(paidAs(known.program, model), mostRuns);
  const down = await unready(known, endpoint, around);
  return [
    {
      arm: named.model === undefined ? arm : `${arm}/${named.model}`,
      // Only a prompt's text reaches it.
      capabilities: { ...capabilities, images: false },
      ...{ contextTokens, maxOutput, tier: "large", local: false, scarcity: 1 },
      strengths: ["generation", "refactor", "unit_test", "debug"],
      ...(price && { price }),
      program: { seen: runs.length, ...runCost(runs, price && expectedRun(known, price, usualVolume)) },
      ...(down !== undefined && { down }),
    },
  ];
}

/** What is expected counts as one run: a single cheap or dear one does not tell. */
function runCost(runs: readonly number[], expected: number | undefined): { run?: number } {
  const known = expected === undefined ? runs : [...runs, expected];
  if (known.length === 0) return {};
  return { run: Math.round(known.reduce((sum, micro) => sum + micro, 0) / known.length) };
}

async function unready({ program, vendor }: KnownProgram, endpoint: Endpoint | undefined, around: RoutingContext) {
  const { settings, env, sandboxed } = around;
  if (program === "codex" && settings.cli.codex_sandbox === "own" && sandboxed)
    return "it cannot confine its commands inside of fettle's sandbox (cli.codex_sandbox)";
  if (endpoint?.needsKey === true && (await keyOf(endpoint, env)) === undefined) return `there is no key for ${vendor}`;
  return undefined;
}

/** For whom it would work. `attended`: somebody is there who may be asked. */
interface Work {
  state: Pick<SessionState, "autonomy" | "ceiling" | "role" | "taintedBy">;
  mission?: string | undefined;
  attended: boolean;
}

/** Why another agent's program is not chosen for this work, in a clause; undefined: it may be. Whoever names one need not ask. */
export function barring(program: Program, { state, mission, attended }: Work): (arm: string) => string | undefined {
  const base = newContext(program);
  const role = lowerRole(actingRole(program), state.role);
  const { autonomy, ceiling, taintedBy } = state;
  const context = { ...base, autonomy, ceiling, role, tainted: base.tainted || taintedBy.length > 0 };
  const facts = factsOf(program);
  return (arm) => {
    if (mission !== undefined) return "missions and subagents ask models";
    if (role === "read-only") return "it writes by itself, and the role is read-only";
    const known = programNamed(arm)?.known;
    if (!known) return "no such program is known";
    const { verdict, text } = decide(assess(startOf(program, known), facts), context);
    if (verdict === "deny") return text.replace(/\.$/, "");
    return verdict === "ask" && !attended ? "it is asked for, and nobody is there to answer" : undefined;
  };
}

function startOf(program: Program, { program: agent, vendor }: KnownProgram) {
  const { settings } = program.config();
  const url = endpoints(settings, program.env).get(vendor)?.baseUrl ?? "";
  const host = URL.canParse(url) ? new URL(url).host : "";
  const { max_usd, timeout_minutes } = settings.cli;
  const limits = { cap: Math.round(max_usd * 1e6), timeoutMs: timeout_minutes * 60_000 };
  return { kind: "cli-agent" as const, agent, prompt: "", host, writes: true, ...limits };
}
