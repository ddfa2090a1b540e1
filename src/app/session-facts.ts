// The session as the gate sees it: its log, and what the configuration and the person allow right now.
import type { Session } from "../engine/session.ts";
import { currentTurn } from "../engine/state.ts";
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

/** What a session of this configuration begins with. */
export function newSessionContext({ settings, policy }: Config, role: Role, sandboxed: boolean): DecideContext {
  return {
    autonomy: settings.autonomy.level,
    ceiling: settings.autonomy.ceiling,
    role,
    sandboxed,
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
  sandboxed: boolean;
  /** What the frozen plan allows now, inside of a task. */
  task?: (() => EnvelopeTerms | undefined) | undefined;
}

/** Approvals "for this session" live here, in memory: they end with the process and are not inherited. */
export function sessionFacts(session: Session, { config, terms, role, sandboxed, task }: SessionParts): SessionFacts {
  const scopes = new Set<string>();
  const begun = newSessionContext(config, role, sandboxed);
  const remember = (fact: Fact): void => {
    if (fact.type !== "approval.answered" || fact.outcome.kind !== "session") return;
    const scope = session.state.asked.find((request) => request.nonce === fact.nonce)?.sessionScope;
    if (scope) scopes.add(scope);
  };
  return {
    session: session.id,
    append(fact) {
      remember(fact);
      session.append(fact);
    },
    turn: () => currentTurn(session.state)?.turn ?? 0,
    context: () => ({
      ...begun,
      autonomy: session.state.autonomy,
      ceiling: session.state.ceiling,
      role: lowerRole(role, session.state.role),
      ...inForce(terms),
      ...planInForce(task?.()),
      tainted: session.state.taintedBy.length > 0,
      sessionScopes: scopes,
      denied: session.state.denied.map(deniedKeys),
    }),
  };
}
