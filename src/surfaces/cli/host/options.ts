// Options that every command takes or several do, and the headings of --help.
import { phrases } from "../../phrases/phrases.ts";

export const option = phrases("options", {
  print: "one prompt without questions: answer on standard output, the rest on standard error",
  quiet: "with -p: the answer and nothing else",
  model: "the model to ask; auto: the router chooses for each turn; small, medium, large: one of that size",
  profile: "what the router weighs: quality, balanced, budget, local or inherit",
  strategy: "how many models do it with --model auto: single, cascade, ensemble or synthesis",
  effort: "how much a model that can reason thinks: off, minimal, low, medium, high, xhigh, max",
  outputSchema: "the final answer has to satisfy this JSON Schema",
  record: "write the model traffic to a file that the recorded provider plays",
  continue: "go on with the last session of this project",
  resume: "go on with this session",
  plain: "whole lines in and out, and nothing drawn anew: for screen readers",
  incognito: "keep nothing of this session; local models only, unless incognito.local_only is false",
  autonomy: "0 ask, 1 cautious, 2 standard, 3 trusted, 4 autonomous, 5 full",
  mode: "a level by name, or plan (read only) or deny (only what a rule allows)",
  roleFlag: "lower what may be done at all: read-only, standard or privileged",
  maxCost: "stop before the session costs more",
  maxRounds: "stop a turn after this many model calls",
  waitApprovals: "with -p: wait for 'fettle approve' from elsewhere, at most so long (=SECONDS)",
  as: "in the name of this identity, whose key is here",
  cwd: "work in this folder",
  json: "machine-readable output; with a prompt one event per line",
  jsonOnly: "machine-readable output",
  noColor: "no colours",
  debug: "show stack traces of errors",
  version: "print the version",
  help: "print this help",
  yes: "do not ask",
  onlySession: "only this session",
  since: "from then on: a date, or 30m, 2h, 7d ago",
  until: "until then",
});

export const headings = phrases("headings", {
  prompt: "Prompt:",
  session: "Session:",
  limits: "Limits:",
  common: "Everywhere:",
  examples: "Examples:",
  exits: "Exit codes:",
});
