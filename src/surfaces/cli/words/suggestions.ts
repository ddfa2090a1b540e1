// Sentences of `fettle policy suggest`.
import { plural } from "../text/amounts.ts";

export const suggestions = {
  rule: "command",
  times: "approved",
  first: "first",
  last: "last",
  by: "by",
  none: "Nothing has been approved often enough that a rule could stand for it.",
  withheld: "No rule is proposed for these:",
  approved: (count: number) => `approved ${plural(count, "time")}`,
  howToWrite: "Nothing is written. To add these rules to your configuration: fettle policy suggest --write",
  written: (file: string) => `Written to ${file}. They hold for sessions that begin from now on.`,
  leastRemedy: "Say fettle policy suggest --least 3.",
  least: (text: string) => `--least takes a whole number of at least 2, not ${text}.`,
} as const;
