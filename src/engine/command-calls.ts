// Calls that no model makes: a person's `!command`, and what a custom command asks for before the model reads it.
import { textIn } from "../base/text-in.ts";
import type { Gate, Prepared } from "../guard/gate.ts";
import type { Stop } from "../protocol/event.ts";
import type { Json } from "../protocol/message.ts";
import type { Result } from "../protocol/result.ts";
import type { Registry } from "../tools/registry.ts";
import type { Report } from "../tools/tool.ts";
import { admit } from "./calls.ts";
import { interruption } from "./round.ts";
import type { Session } from "./session/session.ts";

export interface CommandCallParts {
  session: Session;
  registry: Registry;
  gate: Gate;
  turn: number;
  signal: AbortSignal;
  checkpoint(): Promise<void>;
  report(call: string): Report;
  during<T>(work: Promise<T>, prepared?: Prepared): Promise<T>;
}

/** What a custom command or a skill says, which a person has named. */
export interface CommandOpening {
  /** For the model, as the person's own instruction. */
  text: string;
  /** What it asks for first, each by the gate as if the model had called it. */
  calls: readonly CommandCall[];
  /**
   * Where its calls, one after the other, are all there is to do: the model is asked only once one of them has failed.
   * `ended` is not told where a person or a rule has refused one.
   */
  enough?: { text: string; ended(ok: boolean): void };
  /** Asked for this turn instead of the session's. */
  model?: string;
}

export interface CommandCall {
  tool: string;
  input: Json;
  /** The person's own act; else as if the model had called it. */
  origin?: "person";
  /** How the text names it. */
  label: string;
}

/** A turn that is one call. */
export interface SingleCall {
  /** Absent: named for its turn. */
  id?: string;
  name: string;
  input: Json;
  /** `agent`: another program's, which is judged as a model's. */
  origin: "person" | "agent";
  /** What the session says of it. */
  text: string;
}

export const commandOfPerson = (command: string): SingleCall => ({
  ...{ name: "shell", input: { command }, origin: "person", text: `!${command}` },
});

export async function singleCall(parts: CommandCallParts, { id, name, input, origin }: SingleCall): Promise<Stop> {
  const { turn, signal } = parts;
  const wanted = { id: id ?? `person-${turn}`, name, input };
  const made = await perform(parts, wanted, origin === "person" ? "person" : "model");
  if ("problem" in made) return { kind: "done", code: name, text: made.problem };
  if (signal.aborted) return interruption(signal);
  const done = made.result.status === "done";
  return { kind: "done", code: name, text: done ? "Done." : "The command did not succeed." };
}

/**
 * The model reads what the command says, and behind it, as data, what its calls have brought. Answers how the turn ends where
 * those were enough.
 */
export async function openCommand(
  parts: CommandCallParts,
  { text, calls, enough }: CommandOpening,
): Promise<Stop | undefined> {
  const { session, turn, signal } = parts;
  const said: string[] = [];
  let well = true;
  let refused = false;
  for (const [at, { tool, input, label, origin = "model" }] of calls.entries()) {
    if (signal.aborted) return undefined;
    const made = await perform(parts, { id: `command-${turn}-${at + 1}`, name: tool, input }, origin);
    said.push(`${label}:\n${"problem" in made ? made.problem : textIn(made.result.parts, "\n")}`);
    well = "result" in made && succeeded(made.result);
    refused = "result" in made && (made.result.status === "refused" || made.result.status === "expired");
    if (enough && !well) break;
  }
  if (signal.aborted) return undefined;
  if (!refused) enough?.ended(well);
  const done = enough !== undefined && well;
  session.append({ type: "note.added", turn, text: [done ? enough.text : text, ...said].join("\n\n") });
  if (!done) return undefined;
  session.append({ type: "notice.given", code: answerCode, level: "info", text: enough.text });
  return { kind: "done", text: enough.text };
}

const succeeded = ({ status, params }: Result): boolean =>
  status === "done" && (params?.["exit"] === undefined || params["exit"] === 0);

/** Of the notice that is the turn's answer where no model has given one. */
const answerCode = "turn.answer";

interface Wanted {
  id: string;
  name: string;
  input: Json;
}

async function perform(
  { registry, gate, signal, checkpoint, report, during }: CommandCallParts,
  wanted: Wanted,
  origin: "model" | "person",
): Promise<{ result: Result } | { problem: string }> {
  const admitted = await admit({ registry, gate, signal }, wanted, origin);
  if ("problem" in admitted) return admitted;
  const { gateCall, tool, input } = admitted;
  await checkpoint();
  const run = report(wanted.id);
  return { result: await during(gate.pass(gateCall, (grant) => tool.run(input as never, grant, run), signal)) };
}
