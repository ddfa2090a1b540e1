// Why a task waits though nobody was asked, and how it goes on.
import type { Stop } from "../../../protocol/event.ts";
import type { StateOutcome, Work } from "../work/work.ts";

export const asksAnew = (id: string): string => `To be asked again: fettle task resume ${id}`;

/** With the mark at its end. */
export const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** A mission did not get to its end: what it was passes, or a person mends it. */
export const cutOff = ({ task }: Work, what: string, { text }: Stop): StateOutcome => ({
  pause: `${what}: ${sentence(text)} Try again: fettle task resume ${task.id}`,
});
