// A gate that does first what a call of an MCP server needs: its server started, and a definition that has changed
// since it was pinned accepted. Each of these is an act of its own, judged by the same gate, with its own record.
import { calledAs } from "../base/mcp-names.ts";
import { type McpAction, McpFailure, type McpPort } from "../io/mcp/spec.ts";
import type { GateCall } from "../protocol/action.ts";
import { failure } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import type { Gate, Run } from "./gate.ts";

export const withServers = (gate: Gate, port: McpPort | undefined): Gate => {
  if (!port) return gate;
  const before = (call: GateCall, run: Run, signal: AbortSignal): Run => {
    const { action } = call;
    if (action.kind !== "mcp" || action.op === "start" || action.op === "accept") return run;
    return async (grant) => (await prepared({ gate, port, signal }, call, action)) ?? run(grant);
  };
  return {
    hooked: gate.hooked,
    screen: (...given) => gate.screen(...given),
    tighten: (...more) => withServers(gate.tighten(...more), port),
    prepare: (call) => gate.prepare(call),
    pass: (call, run, signal) => gate.pass(call, before(call, run, signal), signal),
    perform: (given, run, signal) => gate.perform(given, before(given.call, run, signal), signal),
  };
};

interface Preparing {
  gate: Gate;
  port: McpPort;
  signal: AbortSignal;
}

/** Undefined: the call may go on; else what it comes to without having been made. */
async function prepared(
  { gate, port, signal }: Preparing,
  call: GateCall,
  action: McpAction,
): Promise<Result | undefined> {
  const act = (more: Partial<McpAction> & Pick<McpAction, "op">): GateCall => ({
    // What a person has named themselves may be read; to start its server or to take a new definition is another matter.
    ...{ id: `${call.id}.${more.op}`, tool: call.tool, origin: call.origin === "person" ? "model" : call.origin },
    action: { ...action, input: null, ...more },
  });
  const starting = await port.need(action);
  if (starting && "start" in starting) {
    const started = await gate.pass(
      act({ op: "start", what: "" }),
      (grant) => orFailure(() => grant.mcp().start(), `The MCP server ${action.server} runs.`),
      signal,
    );
    if (started.status !== "done") return withoutIt(started);
  }
  const changed = await port.need(action);
  if (!changed || !("changed" in changed)) return undefined;
  const called = calledAs(action.server, action.what);
  const accepted = await gate.pass(
    act({ op: "accept", digest: changed.digest, lines: [...changed.changed] }),
    (grant) => orFailure(() => grant.mcp().accept(), `The definition of ${called} is accepted.`),
    signal,
  );
  return accepted.status === "done" ? undefined : withoutIt(accepted);
}

async function orFailure(work: () => Promise<void>, done: string): Promise<Result> {
  try {
    await work();
    return { status: "done", parts: [{ type: "text", text: done, note: true }] };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return failure(error.code, error.message);
  }
}

/** Its parts were wrapped as data already, where they are any. */
const withoutIt = (result: Result): Result => ({
  ...result,
  parts: [
    ...result.parts.map((part) => (part.type === "text" ? { ...part, note: true } : part)),
    { type: "text", text: "[The tool was not called.]", note: true },
  ],
});
