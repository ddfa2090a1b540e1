// A gate that shows rows before they are changed: the statement is rehearsed first, by a call of its own, and what it
// touched is part of the call that asks. The plugin keeps the change only where it touches exactly that.
import type { McpPort, McpReply, McpTalk } from "../../io/mcp/spec.ts";
import type { Gate, Run } from "../../guard/gate.ts";
import type { GateCall } from "../../protocol/action.ts";
import type { Result } from "../../protocol/result.ts";
import { replyResult } from "../../tools/mcp.ts";

const servers = ["database-write", "postgres"];

export function withRows(gate: Gate, port: McpPort | undefined): Gate {
  if (!port || !servers.some((server) => port.fact(server)?.builtIn)) return gate;
  const shown = async (call: GateCall, run: Run, signal: AbortSignal): Promise<Result | undefined> => {
    if (!changesRows(call, port) || gate.prepare(call).decision.verdict === "deny") return undefined;
    const rehearsal = await rehearsed(gate, call, signal);
    // Nothing was done, and the call ends as any other.
    if ("result" in rehearsal)
      return gate.pass({ ...call, action: { kind: "none" } }, async () => rehearsal.result, signal);
    return gate.pass(rehearsal.call, run, signal);
  };
  return {
    hooked: gate.hooked,
    screen: (...given) => gate.screen(...given),
    tighten: (...more) => withRows(gate.tighten(...more), port),
    prepare: (call) => gate.prepare(call),
    pass: async (call, run, signal) => (await shown(call, run, signal)) ?? gate.pass(call, run, signal),
    perform: async (given, run, signal) => (await shown(given.call, run, signal)) ?? gate.perform(given, run, signal),
  };
}

const changesRows = ({ action }: GateCall, port: McpPort): boolean =>
  action.kind === "mcp" &&
  action.op === "call" &&
  action.what === "change" &&
  servers.includes(action.server) &&
  port.fact(action.server)?.builtIn !== undefined;

/** Nobody waits for its progress, and it asks nothing. */
const untold: McpTalk = { progress: () => undefined, ask: () => Promise.resolve(undefined) };

async function rehearsed(
  gate: Gate,
  call: GateCall,
  signal: AbortSignal,
): Promise<{ call: GateCall } | { result: Result }> {
  const { action } = call;
  if (action.kind !== "mcp") return { call };
  const given =
    typeof action.input === "object" && action.input !== null && !Array.isArray(action.input) ? action.input : {};
  const replies: McpReply[] = [];
  const result = await gate.pass(
    { ...call, id: `${call.id}.rows`, action: { ...action, what: "rehearse", input: given } },
    async (grant) => {
      replies.push(await grant.mcp().call(untold));
      return replyResult(replies[0] ?? { failed: true, parts: [], left: [] });
    },
    signal,
  );
  const [told, shown] = replies[0]?.parts ?? [];
  if (result.status !== "done" || told?.type !== "text" || shown?.type !== "text")
    return { result: { ...result, parts: result.parts.map(asNote) } };
  const input = { ...given, shown: JSON.parse(shown.text) };
  return { call: { ...call, action: { ...action, input, lines: told.text.split("\n") } } };
}

/** It was wrapped as data when its own call ended. */
const asNote = (part: Result["parts"][number]) => (part.type === "text" ? { ...part, note: true } : part);
