// What the gate asks of the rest of the program. Declared here, filled by app.
import type { ApprovalOutcome, ApprovalRequest } from "../protocol/approval.ts";
import type { Autonomy, Ceiling, Decision, Role } from "../protocol/decision.ts";
import type { Fact } from "../protocol/event.ts";

/** A path after following every link. `real` names the deepest existing ancestor's target plus the missing rest. */
export interface PathFact {
  real: string;
  kind: "file" | "folder" | "other" | "missing";
  /** Hard links; 0 when missing. */
  links: number;
  size: number;
}

/** A read-only view of the machine, synchronous and deterministic within one judgement. Implemented in io/facts.ts. */
export interface Facts {
  /** The granted root: absolute, real. */
  readonly workspace: string;
  readonly home: string;
  /** Private temporary folder of the session, writable by grants. */
  readonly temporary: string;
  /** fettle's own state, config and installation folders: never writable, not readable by grants. */
  readonly own: readonly string[];
  path(absolute: string): PathFact;
  /** Real path when `name` resolves, by a fixed system PATH, to a file in a system folder that no grant can write; else undefined. */
  systemProgram(name: string): string | undefined;
  /** Text of a small file (at most 256 kB) inside the workspace, for manifests and changed definitions; undefined when absent. */
  text(absolute: string): string | undefined;
  /** Declared checks whose definition and defining files are unchanged since the session began. */
  declaredCheck(
    command: string,
    cwd: string,
  ): { kind: "test" | "lint" | "types" | "build"; changed: string[] } | undefined;
}

/** One person's rule, from configuration that is trusted. Matched on parsed segments, never on raw text. */
export interface Rule {
  action: "allow" | "ask" | "deny";
  /** Where it stands, for people: `user config, rule 2`. */
  source: string;
  effect?: string[];
  program?: string;
  /** Leading words after the program, `*` for any one word, `**` for the rest. */
  args?: string[];
  paths?: string[];
  hosts?: string[];
}

/** What policy files allow at most; the strictest seen in the session is in force. */
export interface Policy {
  maxAutonomy: Autonomy;
  allowNetwork: boolean;
  allowGitPush: boolean;
  /** Undefined: no list is prescribed. */
  networkAllowlist: string[] | undefined;
  requireLedger: boolean;
  denyRules: Rule[];
  /** sha256 of the merged policy, in every receipt. */
  version: string;
}

/** All that `decide` may look at besides the assessment. */
export interface DecideContext {
  autonomy: Autonomy;
  ceiling: Ceiling;
  role: Role;
  sandboxed: boolean;
  tainted: boolean;
  policy: Policy;
  rules: readonly Rule[];
  /** Hosts a person has granted, `host` or `*.host`, optional `:port`. */
  hosts: readonly string[];
  /** Scopes approved for this session (permits/session.ts makes and compares them). */
  sessionScopes: ReadonlySet<string>;
  /** Digests of effect sets denied since the person last spoke. */
  denied: readonly (readonly string[])[];
}

/** Asks the person. Must end: by an answer, expiry, or the signal. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome>;
}

/** The session's log as the gate sees it: appended and flushed when the promise-free call returns. */
export interface SessionFacts {
  readonly session: string;
  append(fact: Fact): void;
  turn(): number;
  context(): DecideContext;
}

/** A judge that can only tighten. A limit that throws denies. */
export type LimitVerdict = "pass" | { ask: string; approver?: Decision["approver"] } | { deny: string };
