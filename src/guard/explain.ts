// What the gate would say, without doing anything.
import path from "node:path";
import { createFacts } from "../io/facts.ts";
import { places } from "../io/places/places.ts";
import type { Action } from "../protocol/action.ts";
import type { Json } from "../protocol/message.ts";
import type { BatchAnswer, BatchItem, Explanation } from "../protocol/query.ts";
import { assess, explainParts } from "./assess/assess.ts";
import { family } from "./programs/command.ts";
import { handlers } from "./programs/handlers.ts";
import type { Decision } from "../protocol/decision.ts";
import { stashSteps } from "./command-line/syntax/stash-steps.ts";
import { decide } from "./decide.ts";
import { byAutonomy } from "./permits/autonomy.ts";
import type { DecideContext, Facts } from "./contract/ports.ts";
import { conventionalCheck } from "./programs/checks/conventional.ts";
import { rows } from "./programs/tables.ts";

export function explain(command: string, facts: Facts, context: DecideContext): Explanation {
  const action: Action = { kind: "shell", command, background: false };
  const assessment = assess(action, facts);
  const decided = decide(assessment, context);
  const decision = runsInSteps(command, decided, { facts, context }) ? { ...decided, ...inSteps } : decided;
  return {
    command,
    parts: explainParts(action, facts),
    effects: assessment.effects,
    risk: decision.risk,
    verdict: decision.verdict,
    ...(decision.contained === true && { contained: true as const }),
    rule: decision.rule,
    text: decision.text,
    action,
  };
}

/** What a session says of such a line (`guard/stepped.ts`), but for whose changes it takes: that only the session knows. */
const inSteps = {
  verdict: "notify" as const,
  rule: "git.steps",
  text: "Its commands run one after the other, each judged when its turn comes, while they take nothing but what the session itself changed; else it asks.",
};

function runsInSteps(
  command: string,
  { verdict, rule }: Decision,
  { facts, context }: { facts: Facts; context: DecideContext },
): boolean {
  const steps = verdict === "ask" && byAutonomy(rule) ? stashSteps(command) : undefined;
  if (!steps) return false;
  const own: Facts = { ...facts, concernsOwnWork: () => true };
  return [steps.before ?? "true", steps.away, steps.between].every((line) => {
    const judged = decide(assess({ kind: "shell", command: line, background: false }, own), context);
    return judged.verdict === "allow" || judged.verdict === "notify";
  });
}

/**
 * The context of `explain --batch` on every machine: autonomy 2, privileged, sandboxed, nothing allowed, no taint. Without
 * layers, so that the bare judgement is what is measured unless `--containment on` asks for the other.
 */
export const fixedContext: DecideContext = {
  autonomy: 2,
  ceiling: "none",
  role: "privileged",
  sandboxed: true,
  tainted: false,
  policy: {
    maxAutonomy: 5,
    allowNetwork: true,
    allowGitPush: true,
    networkAllowlist: undefined,
    requireLedger: true,
    denyRules: [],
    version: "",
  },
  rules: [],
  hosts: [],
  sessionScopes: new Set(),
  denied: [],
};

/**
 * The machine as it is, except that every program of the tables counts as installed and the usual check commands
 * (`npm test`, `cargo test` …) count as declared, so that answers do not depend on what this machine happens to have.
 */
export function fixedFacts(workspace: string): Facts {
  const base = places();
  const temporary = path.join(base.cache, "explain");
  const machine = createFacts({
    workspace,
    home: base.home,
    temporary,
    own: [base.config, base.state],
    env: {},
    extraFolders: [],
  });
  const known = (name: string): boolean => rows.has(family(name)) || handlers.has(family(name));
  return {
    workspace,
    home: base.home,
    temporary,
    own: machine.own,
    path: (absolute) => machine.path(absolute),
    systemProgram: (name) => machine.systemProgram(name) ?? (known(name) ? `/usr/bin/${name}` : undefined),
    text: (absolute) => machine.text(absolute),
    changedDefinitions: () => machine.changedDefinitions?.() ?? [],
    declaredCheck: (command, cwd) => machine.declaredCheck(command, cwd) ?? conventionalCheck(command),
  };
}

type Mapped = { action: Action } | { problem: string };
export type ToAction = (tool: string, input: Json) => Mapped;

/** The same with layers, on which contained executions run unasked. */
export const layeredContext: DecideContext = { ...fixedContext, layers: true };

interface BatchWorld {
  workspace: string;
  toAction: ToAction;
  addresses?: NonNullable<Facts["addresses"]> | undefined;
  containment?: "on" | "off" | undefined;
}

/** The bare judgement of a batch. */
export const explainBatch = (
  items: readonly BatchItem[],
  workspace: string,
  toAction: ToAction,
  addresses?: NonNullable<Facts["addresses"]>,
): BatchAnswer[] => explainBatchIn(items, { workspace, toAction, addresses });

/** Answers in order. What no tool can parse is denied like any malformed call. */
export function explainBatchIn(items: readonly BatchItem[], world: BatchWorld): BatchAnswer[] {
  const { workspace, toAction, addresses = () => undefined, containment = "off" } = world;
  const facts = { ...fixedFacts(workspace), addresses };
  const context = containment === "on" ? layeredContext : fixedContext;
  const known = new Map<string, Omit<BatchAnswer, "id">>();
  return items.map(({ id, tool, input }) => {
    const key = `${tool}\n${JSON.stringify(input)}`;
    let answer = known.get(key);
    if (!answer) {
      answer = answerOf(actionOf(tool, input, toAction), facts, context);
      known.set(key, answer);
    }
    return { id, ...answer };
  });
}

/** The four tools of the batch take the plain fields alone, whatever else their own schemas require. */
export function actionOf(tool: string, input: Json, toAction: ToAction): Mapped {
  const field = (name: string): string | undefined => {
    const value = input && typeof input === "object" && !Array.isArray(input) ? input[name] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const text = { shell: field("command"), read: field("path"), write: field("path"), fetch: field("url") };
  if (tool === "shell" && text.shell !== undefined)
    return { action: { kind: "shell", command: text.shell, background: false } };
  if (tool === "read" && text.read !== undefined) return { action: { kind: "read", path: text.read } };
  if (tool === "write" && text.write !== undefined)
    return {
      action: { kind: "change", changes: [{ op: "write", path: text.write, content: field("content") ?? "" }] },
    };
  if (tool === "fetch" && text.fetch !== undefined)
    return { action: { kind: "fetch", url: text.fetch, method: "GET" } };
  return toAction(tool, input);
}

function answerOf(mapped: Mapped, facts: Facts, context: DecideContext): Omit<BatchAnswer, "id"> {
  if ("problem" in mapped) return { risk: "L2", verdict: "deny", rule: "schema", effects: [] };
  const assessment = assess(mapped.action, facts);
  const decision = decide(assessment, context);
  return {
    risk: decision.risk,
    verdict: decision.verdict,
    ...(decision.contained === true && { contained: true as const }),
    rule: decision.rule,
    effects: assessment.effects.map(({ kind, target, part }) => ({ effect: kind, target, part: part ?? "" })),
  };
}
