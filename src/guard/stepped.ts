// A gate that takes one line of shell for the calls that it is made of. git's own writes and other code never share a
// sandbox, so `git stash && npm test; git stash pop` cannot run as it stands; each of its three commands may run by itself.
import type { GateCall } from "../protocol/action.ts";
import type { Result } from "../protocol/result.ts";
import { stashSteps, type StashSteps } from "./command-line/syntax/stash-steps.ts";
import type { Gate, GateParts, Prepared, Run } from "./gate.ts";
import { ownWorkCode } from "./programs/git/own.ts";
import { byAutonomy } from "./permits/autonomy.ts";

type Parts = Pick<GateParts, "session" | "clock">;

/** Each step is judged anew when its turn comes, by the same gate: what the one before it has changed counts. */
export const withSteps = (gate: Gate, parts: Parts): Gate => ({
  hooked: gate.hooked,
  screen: (...given) => gate.screen(...given),
  tighten: (...more) => withSteps(gate.tighten(...more), parts),
  prepare: (call) => prepare(gate, call),
  pass: (call, run, signal) => withSteps(gate, parts).perform(prepare(gate, call), run, signal),
  async perform(prepared, run, signal) {
    const whole = gate.prepare(prepared.call);
    const steps = stepsOf(gate, whole);
    return steps
      ? runSteps({ gate, parts, whole: inSteps(whole), run, signal }, steps)
      : gate.perform(prepared, run, signal);
  },
});

function prepare(gate: Gate, call: GateCall): Prepared {
  const whole = gate.prepare(call);
  return stepsOf(gate, whole) ? inSteps(whole) : whole;
}

function inSteps(whole: Prepared): Prepared {
  const { risk } = whole.decision;
  const text = "Its commands run one after the other, each judged when its turn comes.";
  return { ...whole, decision: { verdict: "notify", risk, rule: "git.steps", text } };
}

/** Only where nothing but its company speaks against what the first command puts away, and the second runs unasked. */
function stepsOf(gate: Gate, { call, decision }: Prepared): StashSteps | undefined {
  const { action } = call;
  if (action.kind !== "shell" || action.background || call.origin !== "model") return undefined;
  if (decision.verdict !== "ask" || !byAutonomy(decision.rule)) return undefined;
  const steps = stashSteps(action.command);
  const away = steps && gate.prepare(step(call, steps.away, 1));
  const isOwn = away?.assessment.reasons.some(({ code }) => code === ownWorkCode) === true;
  if (!steps || !isOwn || !runsUnasked(away)) return undefined;
  if (steps.before !== undefined && !runsUnasked(gate.prepare(step(call, steps.before, 0)))) return undefined;
  return runsUnasked(gate.prepare(step(call, steps.between, 2))) ? steps : undefined;
}

const runsUnasked = ({ decision: { verdict } }: Prepared): boolean => verdict === "allow" || verdict === "notify";

const step = (call: GateCall, command: string, number: number): GateCall =>
  call.action.kind === "shell" ? { ...call, id: `${call.id}.${number}`, action: { ...call.action, command } } : call;

interface Stepping {
  gate: Gate;
  parts: Parts;
  whole: Prepared;
  run: Run;
  signal: AbortSignal;
}

async function runSteps({ gate, parts, whole, run, signal }: Stepping, steps: StashSteps): Promise<Result> {
  const { session, clock } = parts;
  const { call, assessment, decision } = whole;
  const about = { turn: session.turn(), call: call.id, tool: call.tool };
  const startedAt = clock();
  const { action, origin } = call;
  session.append({ ...about, type: "call.decided", action, origin, assessment, decision });
  // After a kill between two steps nobody may say that nothing was done.
  session.append({ ...about, type: "effect.begun", risk: decision.risk });
  const results: { command: string; result: Result }[] = [];
  const next = async (command: string): Promise<boolean> => {
    const result = await gate.pass(step(call, command, results.length + 1), run, signal);
    results.push({ command, result });
    return ended(result);
  };
  // What was not allowed has not happened, so nothing that relies on it is run.
  const goesOn = () => !signal.aborted && !/^(?:refused|expired)$/.test(results.at(-1)?.result.status ?? "");
  const before = steps.before === undefined || (await next(steps.before));
  const away = goesOn() && (before || !steps.awayOnly) && (await next(steps.away));
  const gone = goesOn();
  const between = gone && (away || !steps.betweenOnly) && (await next(steps.between));
  const returns = gone && (between || !steps.backOnly);
  if (!signal.aborted && returns) await next(steps.back);
  const result = joined(results);
  if (signal.aborted && away && returns && results.at(-1)?.command !== steps.back) result.parts.push(stillAway);
  const ms = Math.max(0, Math.round(clock() - startedAt));
  session.append({ ...about, type: "call.ended", result, ms });
  return result;
}

const stillAway = {
  type: "text" as const,
  text: "[stopped before the changes came back: they are still in git's stash]",
  note: true,
};

const ended = ({ status, code }: Result): boolean => status === "done" && code === undefined;

/**
 * What the last one ended with is what the line would have ended with. Of the others it is told only what went wrong, and which
 * of them it was: the model knows its own line.
 */
function joined(results: readonly { command: string; result: Result }[]): Result {
  const last = results.at(-1)?.result ?? { status: "failed" as const, parts: [] };
  const parts = results.flatMap(({ command, result }) => {
    if (result === last) return result.parts;
    if (ended(result)) return result.parts.flatMap((part) => withoutEmptyEnd(part));
    return [{ type: "text" as const, text: `$ ${command}`, note: true }, ...result.parts];
  });
  const wrote = results.flatMap(({ result }) => result.wrote ?? []);
  return { ...last, parts, ...(wrote.length > 0 && { wrote }) };
}

function withoutEmptyEnd(part: Result["parts"][number]): Result["parts"] {
  if (part.type !== "text" || !part.note) return [part];
  const text = part.text.replace(/^\[exit 0\](?:\n|$)/m, "").trimEnd();
  return text === "" ? [] : [{ ...part, text }];
}
