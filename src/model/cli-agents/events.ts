// What another agent's program says while it works, in one shape for all of them. Everything in it is its own claim.
import type { Json, Usage } from "../../protocol/message.ts";

export type AgentEvent =
  /** The name by which it takes the conversation up again. */
  | { type: "session"; id: string }
  /** It began to use a tool of its own; `text` says on what. */
  /** `length`: characters of its arguments, where they are all told. */
  | { type: "acted"; id: string; tool: string; text: string; length?: number }
  /** `length`: characters of what came of it, where that is told. */
  | { type: "acted.ended"; id: string; ok: boolean; length?: number }
  /** A piece of what it says; `whole` pieces stand by themselves. */
  | { type: "said"; text: string; whole: boolean }
  /** Of one call of its model, so far: the latest of the same id holds. */
  | { type: "spending"; id: string; model: string; usage: Usage }
  /** `cost` in US dollars, where it says so. Without `problem` it came to an end by itself. */
  | { type: "ended"; answer?: string; usage?: Usage; cost?: number; problem?: string };

/** One line of its stream, already JSON. Unknown lines give nothing; never throws. */
export type ReadLine = (line: Fields) => AgentEvent[];

export type Fields = { readonly [key: string]: Json | undefined };

/** Begins the result of a run that broke by itself, as opposed to one that was refused or ended for it. */
export const broke = "It broke off: ";

export const fieldsOf = (value: Json | undefined): Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

export const listOf = (value: Json | undefined): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Counts that are no counts are 0. */
export const countOf = (value: Json | undefined): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)
    : 0;

const longestSubject = 300;
const subjects = ["command", "file_path", "path", "absolute_path", "pattern", "query", "url", "description", "prompt"];

/** On what a tool is used: its most telling argument. */
export function subjectOf(input: Json | undefined): string {
  const given = fieldsOf(input);
  const told = subjects.map((name) => textOf(given[name])).find((text) => text !== "");
  const line = (told ?? "").replace(/\s+/g, " ").trim();
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 1)}…` : line;
}
