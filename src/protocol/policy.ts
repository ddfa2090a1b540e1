// Answers about policy: what it says, what would come of it, and what it would have changed.
import type { SessionGrant } from "./approval.ts";
import type { Verdict } from "./decision.ts";
import type { Json } from "./message.ts";
import type { Diff } from "./result.ts";

export type PolicyLevel = "machine" | "user" | "team";

/** `team`: on top of the machine's and the person's own policy. Left out: by the file's name, else on its own. */
export interface PolicyFileArgs {
  file?: string;
  as?: PolicyLevel;
}

export interface PolicyProblem {
  kind: "file" | "rule" | "example";
  /** Names file and line where there is one. */
  text: string;
}
export interface PolicyCheck {
  ok: boolean;
  files: { level: PolicyLevel; file: string; enforced: boolean; limits: number; rules: number; examples: number }[];
  problems: PolicyProblem[];
  notices: string[];
}

/** One limit: what holds, and what each file says of it. Null: nothing is limited. */
export interface PolicyLimitRow {
  key: string;
  value: Json;
  /** Where it was set; absent for the default. */
  place?: string;
  description: string;
  said: { level: PolicyLevel; value: Json; place: string; enforced: boolean }[];
}

export interface PolicyOpinion {
  name: string;
  kind: "limit" | "permit";
  /** A limit passes, asks or denies; a permit allows, allows and tells, or says nothing. */
  says: "pass" | "ask" | "deny" | "allow" | "notify" | "nothing";
  rule?: string;
  text?: string;
}

export interface PolicyTestRow {
  place: string;
  tool: string;
  input: Json;
  expect: Verdict;
  expectRule?: string;
  verdict: Verdict;
  rule: string;
  text: string;
  ok: boolean;
}

export interface PolicyDifference {
  key: string;
  before: Json;
  after: Json;
  change: "tighter" | "looser" | "other";
  place?: string;
}

export interface ReplayedAct {
  seq: number;
  at: number;
  session: string;
  tool: string;
  /** What it did, a text for each effect. */
  effects: string[];
  was: { verdict: Verdict; rule: string; approver?: string };
  would: { verdict: Verdict; rule: string; text: string };
  change: "tighter" | "looser";
}
/** `partly`: entries that hold less than a judgement needs, judged by what they hold. */
export interface Replay {
  acts: number;
  replayed: number;
  partly: number;
  incognito: number;
  unreadable: number;
  changed: ReplayedAct[];
}
export interface PolicyDiff {
  differences: PolicyDifference[];
  replay: Replay;
}

/** `least`: how often a command must have been approved, 3 when left out. */
export interface SuggestArgs {
  least?: number;
  since?: number;
}
export interface PolicySuggestions {
  suggestions: {
    program: string;
    /** Every word; `*` stands for a text that may be anything, like a commit's message. */
    args: string[];
    /** Commands that were approved and that the rule covers. */
    examples: string[];
    approvals: { at: number; by: string; session: string }[];
  }[];
  /** Approved as often, but nothing that a rule should allow for good. */
  withheld: { command: string; approvals: number; why: string }[];
  file: string;
  diff: Diff;
  /** Of the file before and after; adopting names it. */
  digest: string;
}

/** What may be asked: with what, and what is answered. */
export interface PolicyQuestions {
  "session.grants": { ask: Record<string, never>; answer: SessionGrant[] };
  "policy.suggest": { ask: SuggestArgs; answer: PolicySuggestions };
  "policy.check": { ask: PolicyFileArgs; answer: PolicyCheck };
  "policy.explain": { ask: { key?: string }; answer: PolicyLimitRow[] };
  "policy.test": { ask: PolicyFileArgs; answer: PolicyTestRow[] };
  "policy.waiting": { ask: Record<string, never>; answer: PolicyDifference[] };
  "policy.diff": { ask: { before: string; after: string; since?: number; until?: number }; answer: PolicyDiff };
  /** Without a file: the policy in force. */
  "audit.replay": { ask: { file?: string; since?: number; until?: number; session?: string }; answer: Replay };
}
