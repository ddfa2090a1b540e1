// Pages that a person reads before a signature: titles, with rows below them. A row has one or two columns.
import type { TaskRecord } from "../../../protocol/task.ts";

/** Two columns: what stands in the first is shown exactly as it is, with all its spaces. */
export const columns = (first: string, second: string): string => `${untabbed(first)}\t${untabbed(second)}`;

const untabbed = (text: string): string => text.replaceAll("\t", "\\t");

/** Nothing where there are no rows. */
export const section = (title: string, rows: readonly string[] = []): string[] =>
  rows.length > 0 ? [title, ...rows.map((row) => `  ${row}`)] : [];

/** What a person answered on the way, as it was asked. */
export const answerLines = (answers: TaskRecord["answers"] = []): string[] =>
  section(
    "You were asked",
    answers.map(({ question, answer }) => columns(question, answer)),
  );

/** `2 min 3 s`; parts of a second are told only below ten seconds. */
export function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** Of micro-dollars; null where a price is not known. */
export const moneyText = (micro: number | null): string =>
  micro === null
    ? "at a price that is not known"
    : micro > 0 && micro < 5_000
      ? "less than $0.01"
      : `$${(micro / 1e6).toFixed(2)}`;
