// Sentences of the commands that look at and answer requests from another terminal.

import { plural } from "../text/amounts.ts";

export const approvals = {
  none: "Nothing waits for an answer in this project.",
  watching: "Watching for requests; Ctrl-C ends it.",
  id: "request",
  asked: "asked",
  expires: "expires",
  what: "for",
  role: "answer by",
  state: "state",
  states: {
    open: "waits",
    orphaned: "its run has ended",
    answered: "answered",
    expired: "expired",
  },
  ofTask: (op: "plan" | "merge", task: string, summary: string) =>
    `${op === "plan" ? "plan" : "result"} of task ${task}: ${summary}`,
  leftTask: (id: string, awaited: string, text: string) => `Task ${id} is paused, ${awaited}: ${text}`,
  answerTask: (id: string) => `fettle task approve ${id}   fettle task reject ${id} --why "…"`,
  paused: "clock stopped",
  in: (text: string) => `in ${text}`,
  answers: "answers",
  need: (have: number, need: number) => `${have} of ${need} approvals`,
  how: (id: string, wider: readonly string[]) =>
    `fettle approve ${id}${wider.length > 0 ? ` [${wider.join(" | ")}]` : ""}   fettle deny ${id} --why "…"`,
  approved: (id: string) => `Request ${id} is approved.`,
  approvedSession: (id: string) => `Request ${id} is approved, and the same again in this session.`,
  approvedLike: (id: string) => `Request ${id} is approved, and what is like it in this session:`,
  approvedAlways: (id: string) => `Request ${id} is approved, and the same from now on.`,
  alwaysAdded: (file: string) => `Added to ${file}; delete these lines to take it back:`,
  oneOf: "--session, --like and --always exclude each other.",
  oneOfRemedy: (id: string) => `Give one of them: fettle approve ${id} --like`,
  counted: (id: string, have: number, need: number) =>
    `Your approval of request ${id} counts: ${have} of ${need}, ${need - have} more needed.`,
  denied: (id: string) => `Request ${id} is denied.`,
  whyNeeded: "A denial needs a reason for the model.",
  whyRemedy: (id: string) => `Give it: fettle deny ${id} --why "use the trash instead"`,
  unanswered: (count: number) =>
    `${plural(count, "question")} stayed unanswered, so not everything was done (exit code 3). --wait-approvals waits for fettle approve from elsewhere.`,
  waiting: (id: string) => `waiting for an answer: fettle approve ${id}, or fettle deny ${id} --why "…"`,

  identity: "identity",
  surface: "from",
  runs: "as caller",
  approves: "may approve as",
  key: "key",
  you: "you",
  noKey: "no key here",
  added: (name: string) => `${name} can answer now: fettle approve ID --as ${name}`,
  removed: (name: string) => `${name} is removed; its answers count no more.`,
  badRole: (value: string, roles: readonly string[]) => `'${value}' is no role; use ${roles.join(", ")}.`,
  badWait: (value: string) => `--wait-approvals needs a whole number of seconds, not '${value}'.`,
  waitNeedsPrint: "--wait-approvals is for a run without questions.",
  waitNeedsPrintRemedy: "Give -p too; an interactive session waits anyway.",
} as const;
