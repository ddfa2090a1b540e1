// The session as the gate sees it: its log, and what the configuration and the person allow right now.
import type { Session } from "../engine/session.ts";
import { currentTurn } from "../engine/state.ts";
import { descended } from "../guard/descent.ts";
import { lowerRole } from "../guard/limits/role.ts";
import { deniedKeys } from "../guard/limits/session.ts";
import type { DecideContext, SessionFacts } from "../guard/ports.ts";
import { gitProgram } from "../io/git.ts";
import type { Config } from "../io/config/load.ts";
import type { Role } from "../protocol/decision.ts";
import type { Fact } from "../protocol/event.ts";
import type { EnvelopeTerms } from "../protocol/task.ts";
import type { SessionTerms } from "./terms.ts";

const planInForce = (task: EnvelopeTerms | undefined) => (task ? { envelope: task.digest, task } : {});

/** How what runs is kept. */
interface Kept {
  sandboxed: boolean;
  /** Whether the sandbox has copy-on-write layers; trying them is left until something is judged. */
  layers(): boolean;
}

/** What a session of this configuration begins with. */
export function newSessionContext({ settings, policy }: Config, role: Role, kept: Kept): DecideContext {
  return {
    autonomy: settings.autonomy.level,
    ceiling: settings.autonomy.ceiling,
    role,
    sandboxed: kept.sandboxed,
    layers: kept.layers(),
    containment: settings.sandbox.containment,
    checkpoints: gitProgram() !== undefined,
    tainted: false,
    policy,
    rules: settings.rules,
    hosts: settings.network.hosts,
    sessionScopes: new Set(),
    denied: [],
  };
}

const inForce = ({ id, current: { policy, rules, hosts } }: SessionTerms) => ({
  ...{ policy, rules, hosts },
  ...(id !== "" && { terms: id }),
});

interface SessionParts {
  config: Config;
  terms: SessionTerms;
  role: Role;
  kept: Kept;
  /** What the frozen plan allows now, inside of a task. */
  task?: (() => EnvelopeTerms | undefined) | undefined;
  /** What a person has denied its subagents: nobody in the session may ask for it again. */
  refused: readonly (readonly string[])[];
}

/** The log, with what was approved for it in memory: that ends with the process and is not inherited. */
function approvedIn(session: Session) {
  const scopes = new Set<string>();
  const remember = (fact: Fact): void => {
    if (fact.type !== "approval.answered" || fact.outcome.kind !== "session") return;
    const scope = session.state.asked.find((request) => request.nonce === fact.nonce)?.sessionScope;
    if (scope) scopes.add(scope);
  };
  const log = {
    session: session.id,
    append(fact: Fact) {
      remember(fact);
      session.append(fact);
    },
    turn: () => currentTurn(session.state)?.turn ?? 0,
  };
  return { log, scopes };
}

export function sessionFacts(session: Session, parts: SessionParts): SessionFacts {
  const { config, terms, role, kept, task, refused } = parts;
  const { log, scopes } = approvedIn(session);
  let begun: DecideContext | undefined;
  return {
    ...log,
    context: () => ({
      ...(begun ??= newSessionContext(config, role, kept)),
      autonomy: session.state.autonomy,
      ceiling: session.state.ceiling,
      role: lowerRole(role, session.state.role),
      ...inForce(terms),
      ...planInForce(task?.()),
      tainted: session.state.taintedBy.length > 0,
      sessionScopes: scopes,
      denied: [...session.state.denied.map(deniedKeys), ...refused],
    }),
  };
}

/** Of a subagent: what the session of its parent may do, and no more than its own. */
export function subagentFacts(session: Session, agent: string, parent: SessionFacts): SessionFacts {
  const { log, scopes } = approvedIn(session);
  return {
    ...log,
    agent,
    context: () => {
      const above = parent.context();
      const { autonomy, ceiling, role = above.role, taintedBy, denied } = session.state;
      const own = { autonomy, ceiling, role, tainted: taintedBy.length > 0, denied: denied.map(deniedKeys) };
      return descended(above, { ...own, sessionScopes: scopes });
    },
  };
}
