// A gate that follows what language servers say: after an edit the errors of its files are told with its result, and a
// rename is made by the same writer as an edit. Each is an act of its own, judged by the same gate.
import type { McpPort, McpTalk } from "../../io/mcp/spec.ts";
import { languageOf } from "../../io/built-in/code/known.ts";
import type { Gate, Run } from "../../guard/gate.ts";
import type { GateCall } from "../../protocol/action.ts";
import type { Result } from "../../protocol/result.ts";
import { makeChanges } from "../../tools/apply-patch.ts";
import { replyResult } from "../../tools/mcp.ts";

const server = "code";
const waitMs = 5_000;
const noErrors = "No errors or warnings.";

interface Told {
  /** How often in one turn. */
  rounds: number;
  turn(): number;
}

export function withCode(gate: Gate, port: McpPort | undefined, told: Told): Gate {
  const fact = port?.fact(server);
  if (!fact?.builtIn) return gate;
  const known = { turn: -1, count: 0 };
  const wrapped = (inner: Gate): Gate => ({
    hooked: inner.hooked,
    screen: (...given) => inner.screen(...given),
    tighten: (...more) => wrapped(inner.tighten(...more)),
    prepare: (call) => inner.prepare(call),
    pass: (call, run, signal) => inner.pass(call, following(inner, call, run, signal), signal),
    perform: (given, run, signal) => inner.perform(given, following(inner, given.call, run, signal), signal),
  });
  const following =
    (inner: Gate, call: GateCall, run: Run, signal: AbortSignal): Run =>
    async (grant) => {
      const result = await run(grant);
      if (result.status !== "done" || signal.aborted) return result;
      if (call.action.kind === "mcp") return renamed(inner, call, result, signal);
      const paths = call.origin === "model" ? changedFiles(call) : [];
      if (paths.length === 0) return result;
      if (known.turn !== told.turn()) Object.assign(known, { turn: told.turn(), count: 0 });
      if (known.count >= told.rounds) return result;
      const errors = await diagnostics(inner, `${call.id}.errors`, paths, signal);
      if (errors === undefined) return result;
      known.count += 1;
      return { ...result, parts: [...result.parts, ...errors] };
    };
  return wrapped(gate);
}

/** Files of a known language that are there afterwards. */
function changedFiles({ action }: GateCall): string[] {
  if (action.kind !== "change") return [];
  const paths = action.changes.flatMap((each) =>
    each.op === "delete" ? [] : [each.op === "move" ? each.to : each.path],
  );
  return paths.filter((file) => languageOf(file) !== undefined);
}

/** Nobody waits for its progress, and it asks nothing. */
const untold: McpTalk = { progress: () => undefined, ask: () => Promise.resolve(undefined) };

/** Undefined: there are none, or nobody could say in time. */
async function diagnostics(
  gate: Gate,
  id: string,
  paths: string[],
  signal: AbortSignal,
): Promise<Result["parts"] | undefined> {
  const input = { paths, wait_ms: waitMs, errors_only: true };
  const call: GateCall = {
    ...{ id, tool: "mcp", origin: "fettle" },
    action: { kind: "mcp", op: "call", server, what: "diagnostics", input },
  };
  const { verdict } = gate.prepare(call).decision;
  if (verdict !== "allow" && verdict !== "notify") return undefined;
  const result = await gate.pass(call, async (grant) => replyResult(await grant.mcp().call(untold)), signal);
  const texts = result.parts.filter((part) => part.type === "text");
  if (result.status !== "done" || texts.every(({ text }) => text.includes(noErrors) || !/ error/.test(text)))
    return undefined;
  // They were wrapped as data when their own call ended.
  return [
    { type: "text", text: "The language server finds errors in what was changed:", note: true },
    ...texts.map(asNote),
  ];
}

/** What the server would change is written by a call of its own, which the gate shows as a difference. */
async function renamed(gate: Gate, call: GateCall, result: Result, signal: AbortSignal): Promise<Result> {
  const { action } = call;
  const [part] = result.parts;
  const renames = action.kind === "mcp" && action.op === "call" && action.server === server && action.what === "rename";
  if (!renames || part?.type !== "text") return result;
  const { FileChange } = await import("../../protocol/action.ts");
  const changes = FileChange.array().min(1).parse(JSON.parse(part.text));
  const made = await gate.pass(
    { id: `${call.id}.edits`, tool: call.tool, origin: call.origin, action: { kind: "change", changes } },
    (writing) => makeChanges(writing, changes),
    signal,
  );
  return { ...made, parts: made.parts.map(asNote) };
}

const asNote = (part: Result["parts"][number]) => (part.type === "text" ? { ...part, note: true } : part);
