// /tmp, where commands and file tools have the session's private folder there: what a result says of it, and what it is
// called.
import type { GateCall } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { Result } from "../../protocol/result.ts";
import { within } from "../command-line/context/sensitive.ts";
import type { Facts } from "../contract/ports.ts";

export interface ScratchTold {
  once: boolean;
}

const mostNamed = 3;

/**
 * The variables of a program that sees the private folder as /tmp, too: it names files by that short path, which is the
 * same file for commands and file tools.
 */
export function shortly(env: Record<string, string>, { temporary, privateTmp }: Facts): Record<string, string> {
  if (privateTmp !== true) return env;
  const short = (value: string) => (value === temporary ? "/tmp" : value.replaceAll(`${temporary}/`, "/tmp/"));
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, short(value)]));
}

/** Once that it is private, and each time that something is named which only the machine has there. */
export function scratchNotes(
  { call, assessment }: { call: GateCall; assessment: Assessment },
  facts: Facts,
  told: ScratchTold,
): string[] {
  const { temporary } = facts;
  if (facts.privateTmp !== true || call.action.kind === "task") return [];
  const words = JSON.stringify(call.action);
  const named = assessment.effects
    .filter(({ target }) => target !== temporary && within(target, temporary))
    .map(({ target }) => ({ target, place: `/tmp${target.slice(temporary.length)}` }))
    .filter(({ place }) => words.includes(place));
  if (named.length === 0) return [];
  facts.refresh?.();
  const unseen = named.filter(({ target, place }) => facts.path(target).kind === "missing" && facts.onMachine?.(place));
  const places = [...new Set(unseen.map(({ place }) => place))].slice(0, mostNamed);
  if (places.length === 0 && told.once) return [];
  told.once = true;
  const hidden = places.length > 0 ? `; what the machine has at ${places.join(", ")} is not shown` : "";
  return [`[/tmp is private to this session${hidden}]`];
}

export const withNotes = (result: Result, notes: readonly string[]): Result =>
  notes.length === 0
    ? result
    : { ...result, parts: [...result.parts, { type: "text", text: notes.join("\n"), note: true }] };
