// Sentences of `fettle policy` and `fettle audit replay`.
import { plural } from "../text/amounts.ts";

export const policies = {
  none: "There is no policy file.",
  checkOk: (files: number) => `The policy holds: ${plural(files, "file")} checked.`,
  checkBad: (problems: number) => `${plural(problems, "problem")} in the policy.`,
  draft: "draft",
  amounts: (limits: number, rules: number, examples: number) =>
    `${plural(limits, "limit")}, ${plural(rules, "rule")}, ${plural(examples, "example")}`,
  level: "rank",
  file: "file",
  limit: "limit",
  value: "value",
  from: "set by",
  now: { mode: "mode", role: "role", money: "money", sandbox: "sandbox" },
  modeNow: (mode: string) => `${mode}; what asks and what runs: /mode`,
  money: (period: "session" | "day" | "month", limit: string, spent: string) =>
    `${limit} a ${period}, ${spent} of it spent`,
  noMoney: "no limit (budget.session_limit_usd)",
  others: (others: number, said: number) =>
    said === 0
      ? "No policy file limits anything here; what holds comes from the settings. `fettle policy explain` lists what a policy can limit."
      : `${plural(others, "further limit")} could be set by a policy and ${others === 1 ? "is" : "are"} not: fettle policy explain.`,
  unlimited: "no policy limits it",
  by: "by default",
  says: "says",
  limits: "limits",
  permits: "permits",
  decides: "decides",
  /** What a limit or permit looks at, by its name. */
  grounds: {
    injection: "hidden or hostile arguments",
    policy: "the policy's limits and rules",
    rules: "your rules",
    "risk.L3": "what is never allowed (L3)",
    role: "the role",
    ceiling: "the mode (plan, deny)",
    taint: "text from outside that may carry orders",
    "denied.effects": "what was denied before",
    hooks: "hooks that you have defined",
    autonomy: "the autonomy",
    "network.hosts": "hosts that are allowed",
    "session.approval": "approvals for this session",
    "session.like": "approvals of what is like it, for this session",
  } as Readonly<Record<string, string>>,
  changes: { tighter: "tighter", looser: "looser", other: "changed" },
  nothing: "nothing",
  testNone: "The policy has no examples.",
  testNoneRemedy: "Write some: [[examples]] with command and expect; see docs/guide/policy.md.",
  testOk: (count: number) => `${plural(count, "example")} as expected.`,
  testBad: (missed: number, count: number) => `${missed} of ${plural(count, "example")} did not come out as expected.`,
  expected: "expected",
  got: "comes to",
  example: "example",
  same: "The two policies allow the same.",
  differ: (tighter: number, looser: number) => `${tighter} tighter, ${looser} looser.`,
  past: "Over the past in this project's ledger:",
  replayed: (count: number, changed: number) =>
    changed === 0
      ? `${plural(count, "decision")} judged anew: none would change.`
      : `${plural(count, "decision")} judged anew: ${changed} would change.`,
  partly: (count: number) =>
    `${plural(count, "entry", "entries")} hold less than a judgement needs, and were judged by what they hold.`,
  incognito: (count: number) =>
    `${plural(count, "incognito entry", "incognito entries")} cannot be replayed: nothing of their content is recorded.`,
  unreadable: (count: number) => `${plural(count, "entry", "entries")} could not be read and were left out.`,
  acceptNone: "Nothing waits: what the files allow is in force.",
  accepted: "In force from now on:",
  gone: "(no longer)",
} as const;
