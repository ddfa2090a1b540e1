// The calls of one answer: prepare, execute, finalize. What only reads, or starts a subagent, runs in parallel; the rest
// one by one, in source order.
import type { Gate, Prepared } from "../guard/gate.ts";
import type { GateCall } from "../protocol/action.ts";
import type { CallContent, Json } from "../protocol/message.ts";
import type { Result } from "../protocol/result.ts";
import { failure } from "../protocol/outcome.ts";
import type { Registry } from "../tools/registry.ts";
import type { AnyTool, Report } from "../tools/tool.ts";
import type { Session } from "./session/session.ts";

const parallelCalls = 8;
const startingMs = 120;

export interface CallParts {
  session: Session;
  gate: Gate;
  registry: Registry;
  turn: number;
  signal: AbortSignal;
  /** Makes the turn's checkpoint if there is none yet; awaited before the first call that may change anything. */
  checkpoint(): Promise<void>;
  /** May begin that checkpoint early; never throws, never waits. */
  anticipate(): void;
  report(call: string): Report;
  /** Several subagents are about to be started at once; what comes back is called when no more of them follow. */
  together?: ((starts: readonly AgentStart[]) => Promise<() => void>) | undefined;
  /** The turn ends here, whatever calls are left; asked before each. */
  ended?(): boolean;
  /** Told of what is being done: a shutdown lets it end, the turn's clock goes by it. */
  during?<T>(work: Promise<T>, prepared: Prepared): Promise<T>;
}

export interface AgentStart {
  call: string;
  definition: string;
  task: string;
}

interface Ready extends Admitted {
  call: CallContent;
  prepared: Prepared;
}

/** A call that a tool understands, as hooks left it. */
interface Admitted {
  gateCall: GateCall;
  tool: AnyTool;
  input: unknown;
}

export interface Outcome {
  call: CallContent;
  result: Result;
}

type Problem = { problem: string; code: string };

/** Results in source order. Calls left over when the turn ends get no result here (conversation.closeCalls fills in). */
export async function runCalls(parts: CallParts, calls: readonly CallContent[]): Promise<Outcome[]> {
  // Several at once mostly read: their start comes first, and the checkpoint is begun while they run.
  if (calls.length === 1) parts.anticipate();
  const outcomes: Outcome[] = [];
  let readers: Ready[] = [];
  const flush = async (): Promise<void> => {
    outcomes.push(...(await runReaders(parts, readers)));
    readers = [];
  };
  for (const call of calls) {
    if (isOver(parts)) break;
    const before = outcomes.length + readers.length;
    const admitted = await admit(parts, call, "model");
    const ready = prepare(parts, call, admitted);
    if ("problem" in ready) {
      await flush();
      outcomes.push({ call, result: refuseMalformed(parts, call, ready) });
    } else if (runsBeside(ready.prepared)) {
      readers.push(ready);
    } else {
      await flush();
      if (isOver(parts)) break;
      outcomes.push(await runAlone(parts, call, before === 0 ? ready : prepare(parts, call, admitted)));
    }
  }
  await flush();
  return outcomes;
}

const isOver = ({ signal, ended }: CallParts): boolean => signal.aborted || ended?.() === true;

/** Parsed, and shown to the hooks, which may change its input: what comes out of that is what the gate judges. */
export async function admit(
  { registry, gate, signal }: Pick<CallParts, "registry" | "gate" | "signal">,
  { id, name, input, malformed }: Omit<CallContent, "type">,
  origin: "model" | "person",
): Promise<Admitted | Problem> {
  const read = (from: Json): Admitted | Problem => {
    const parsed = registry.parse(name, from, malformed);
    if ("problem" in parsed) return { problem: parsed.problem, code: "call.malformed" };
    const { tool, action, claim } = parsed;
    return {
      tool,
      input: parsed.input,
      gateCall: { id, tool: name, action, origin, ...(claim !== undefined && { claim }) },
    };
  };
  const first = read(input);
  if ("problem" in first || !gate.hooked) return first;
  const reparse = (changed: Json) => {
    const again = read(changed);
    return "problem" in again ? again : { call: again.gateCall };
  };
  const screened = await gate.screen(first.gateCall, { input, reparse }, signal);
  if (screened.call === first.gateCall) return first;
  const last = read(screened.input);
  return "problem" in last ? last : { ...last, gateCall: screened.call };
}

function prepare(parts: CallParts, call: CallContent, admitted: Admitted | Problem): Ready | Problem {
  return "problem" in admitted ? admitted : { ...admitted, call, prepared: parts.gate.prepare(admitted.gateCall) };
}

/** `ready` is judged after the calls before this one: they may have changed what its effects are. */
async function runAlone(parts: CallParts, call: CallContent, ready: ReturnType<typeof prepare>): Promise<Outcome> {
  if ("problem" in ready) return { call, result: refuseMalformed(parts, call, ready) };
  if (ready.prepared.decision.verdict !== "deny" && mayChange(ready.prepared)) await parts.checkpoint();
  return execute(parts, ready);
}

async function runReaders(parts: CallParts, readers: readonly Ready[]): Promise<Outcome[]> {
  const starts = readers.flatMap(startOf);
  const noMore = starts.length > 1 ? await parts.together?.(starts) : undefined;
  const outcomes: Outcome[] = new Array(readers.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < readers.length && !isOver(parts)) {
      const index = next;
      next += 1;
      const ready = readers[index];
      if (!ready) continue;
      if (startsAgent(ready.prepared.assessment) && ready.prepared.decision.verdict !== "deny")
        await parts.checkpoint();
      outcomes[index] = await execute(parts, ready);
    }
  };
  const workers = Array.from({ length: Math.min(parallelCalls, readers.length) }, worker);
  const started = setTimeout(() => parts.anticipate(), startingMs);
  // When one fails, nothing of this round may go on behind the turn's end.
  await Promise.allSettled(workers);
  clearTimeout(started);
  noMore?.();
  await Promise.all(workers);
  return outcomes.filter((outcome) => outcome !== undefined);
}

async function execute(parts: CallParts, { call, prepared, tool, input }: Ready): Promise<Outcome> {
  const report = parts.report(call.id);
  const work = parts.gate.perform(prepared, (grant) => tool.run(input as never, grant, report), parts.signal);
  return { call, result: await (parts.during?.(work, prepared) ?? work) };
}

/** A subagent's own calls are judged and kept in order by themselves: several are started at once. */
const runsBeside = ({ assessment, decision }: Prepared): boolean =>
  (assessment.risk === "L0" && decision.verdict === "allow") || startsAgent(assessment);

const startsAgent = ({ effects }: Prepared["assessment"]): boolean =>
  effects.length > 0 && effects.every(({ kind }) => kind === "spawn");

/** Of a call that starts a subagent, if it may. */
function startOf({ call, prepared: { call: given, decision } }: Ready): AgentStart[] {
  const { action } = given;
  if (action.kind !== "agent" || action.op !== "start" || decision.verdict === "deny") return [];
  return [{ call: call.id, definition: action.agent, task: action.task ?? "" }];
}

const mayChange = (prepared: Prepared): boolean =>
  prepared.assessment.effects.some((effect) => effect.kind !== "read" && effect.kind !== "network");

/** A call that no tool understands goes back to the model as a useful error; nothing was done, so only facts record it. */
function refuseMalformed(
  parts: CallParts,
  call: CallContent,
  { problem, code }: { problem: string; code: string },
): Result {
  const result = failure(code, problem);
  parts.session.append({ type: "call.ended", turn: parts.turn, call: call.id, tool: call.name, result, ms: 0 });
  return result;
}
