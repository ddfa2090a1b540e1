// Why a task waits though nobody was asked, and how it goes on.
import type { Stop } from "../../../protocol/event.ts";
import type { StateOutcome, Work } from "../work/work.ts";

export const asksAnew = (id: string): string => `To be asked again: fettle task resume ${id}`;

/** With the mark at its end. */
export const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

const limits: ReadonlySet<Stop["kind"]> = new Set(["budget", "time"]);

/** A mission did not get to its end. A limit ends the task; what else it was passes, or a person mends it. */
export const cutOff = ({ task }: Work, what: string, { kind, text }: Stop): StateOutcome =>
  limits.has(kind)
    ? { to: "FAILED", detail: `${what}: ${text}` }
    : { pause: `${what}: ${sentence(text)} Try again: fettle task resume ${task.id}` };
