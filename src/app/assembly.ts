// Puts one agent together: session, guard, model, tools. The only place that knows all the rooms.
import { randomBytes } from "node:crypto";
import { digestOf } from "../base/digest.ts";
import { Agent, type AgentParts } from "../engine/agent.ts";
import type { BudgetLimits } from "../engine/budget.ts";
import { buildPrefix, type Prefix } from "../engine/context.ts";
import type { Session } from "../engine/session.ts";
import { createFence } from "../guard/fence.ts";
import { createFirewall, type Firewall } from "../guard/firewall/firewall.ts";
import { createGate, type Gate } from "../guard/gate.ts";
import { type Ledger, LedgerFault, openLedger } from "../guard/ledger/ledger.ts";
import type { SessionFacts } from "../guard/ports.ts";
import { previewChanges } from "../guard/preview.ts";
import { ruleMatcher } from "../guard/rule-matcher.ts";
import { checkExamples } from "../io/config/rule-examples.ts";
import type { Settings } from "../io/config/settings.ts";
import { createFacts } from "../io/facts.ts";
import { readHandovers } from "../io/journal/handovers.ts";
import { loadKeyPair } from "../io/journal/key.ts";
import { grantedEnvironment } from "../io/process/environment.ts";
import { Jobs } from "../io/process/jobs.ts";
import type { Hurry } from "../io/process/spec.ts";
import { lookForPlanted } from "../io/sandbox/planted.ts";
import { readInstructions } from "../memory/instructions.ts";
import { createWire } from "../model/wire.ts";
import type { ApprovalKind } from "../protocol/approval-kind.ts";
import type { Stop } from "../protocol/event.ts";
import type { Json } from "../protocol/message.ts";
import type { EnvelopeTerms } from "../protocol/task.ts";
import { builtinTools } from "../tools/builtin.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";
import type { ArmSource } from "./arms.ts";
import { callerOf, highestRole } from "./caller.ts";
import { identityOf, signerOf, votersOf } from "./identities.ts";
import { firewallKey } from "./keys.ts";
import { agentLimits, fenceLimits } from "./limits.ts";
import { egressBounds, fetchLimits, namesInside, networkLimits, reachedNote } from "./network.ts";
import { ownFolders, personName, sandboxOf } from "./machine.ts";
import { sensitiveFiles } from "./masks.ts";
import { openMoney } from "./money.ts";
import { People } from "./people.ts";
import type { Program } from "./program.ts";
import { noteStopAsked } from "./runs.ts";
import { sessionFacts } from "./session-facts.ts";
import { snapshotSource } from "./snapshots.ts";
import { SessionTerms } from "./terms.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary.ts";

/** A running session: its agent, and what has to be closed with it. */
export interface Assembly {
  session: Session;
  agent: Agent;
  /** Another agent on the same session, behind the same gate. */
  agentFor(more: Partial<AgentParts>): Agent;
  /** The prompt's prefix for a mission of a task. */
  missionPrefix(mission: string, registry: Registry): Promise<Prefix>;
  /** The whole text of a process's output. */
  spills: string;
  firewall: Firewall;
  gate: Gate;
  people: People;
  ledger: Ledger;
  jobs: Jobs;
  seen: SessionFacts;
  terms: SessionTerms;
  arm: ArmSource;
  close(): Promise<void>;
}

/** Spec §12: what is being done may end; then its processes are asked to end, and ended. */
const finishMs = 10_000;
const shutdown: Stop & Hurry = { kind: "interrupted", text: "Stopped: fettle was closed.", patienceMs: 5_000 };

export interface Room {
  temporary?: TemporaryFolder;
  /** What the frozen plan of a task allows now. */
  task?: () => EnvelopeTerms | undefined;
  lent?: readonly { from: string; to: string }[];
}

/** The temporary folder is removed when it closes. */
export function assemble(program: Program, session: Session, arm: ArmSource, room: Room = {}): Assembly {
  const { settings } = program.config();
  const { temporary = temporaryFolder() } = room;
  const guard = assembleGuard(program, session, { ...room, temporary });
  const { gate, firewall, people, ledger, jobs } = guard;
  const registry = createRegistry(builtinTools);
  const money = openMoney(program);
  const sampling = digestOf({ temperature: settings.model.temperature, output: settings.model.max_output_tokens });
  const parts: AgentParts = {
    ...{ session, gate, registry, firewall, arm },
    snapshots: guard.snapshots,
    settled: () => guard.planted.settled(),
    wire: createWire(),
    prefix: prefixSource(program, registry),
    ...agentLimits(settings),
    budget: limitsOf(guard.terms),
    monthSpent: () => money.month(),
    roundEnded: (fact) => {
      guard.terms.glance();
      money.record(session.id, fact);
      const { turn, model, usage, cost } = fact;
      const data = { session: session.id, turn, model, sampling, usage, cost };
      noteCall(guard.terms, () => ledger.note("model.call", data, { lazily: true }));
    },
    question: (call, signal) => people.question(call, signal),
    ...(program.flags.outputSchema !== undefined && { outputSchema: program.flags.outputSchema }),
  };
  const agent = new Agent(parts);
  return {
    ...{ session, agent, gate, people, ledger, jobs, arm, firewall, spills: program.project.spills },
    agentFor: (more) => new Agent({ ...parts, ...more }),
    missionPrefix: (mission, tools) => prefixFor(program, tools, mission),
    ...{ seen: guard.seen, terms: guard.terms },
    async close() {
      people.leave();
      noteCall(guard.terms, () => noteStopAsked(program, session, ledger));
      await agent.finish(finishMs, shutdown);
      await jobs.closeAll(shutdown);
      await guard.planted.settled();
      try {
        ledger.seal("session.end");
        if (settings.audit.retain_days > 0) ledger.retain(settings.audit.retain_days);
      } catch (error) {
        if (!(error instanceof LedgerFault) || !toldBroken(session)) throw error;
      } finally {
        ledger.close();
        money.close();
        temporary.remove();
      }
    },
  };
}

/** Looked up at each call: a policy may lower them while the session runs. */
const limitsOf = (terms: SessionTerms): BudgetLimits => ({
  get session() {
    return terms.budget.session;
  },
  get month() {
    return terms.budget.month;
  },
});

/** The person knows already that the record cannot be kept. */
const toldBroken = ({ failed, state }: Session): boolean => failed || state.turns.at(-1)?.stop?.kind === "integrity";

/** Everything that stands between a call and the world. Throws a Fault when a rule contradicts its own examples. */
function assembleGuard(program: Program, session: Session, room: Room & { temporary: TemporaryFolder }) {
  const temporary = room.temporary.path;
  const { settings } = program.config();
  const { workspace, places } = program;
  const store = program.store();
  const sandbox = sandboxOf(program);
  const own = ownFolders(program);
  const facts = {
    ...createFacts({ workspace, home: places.home, temporary, own }),
    namedHost: (target: string) => namesInside(settings.network.hosts, target),
  };
  const terms = new SessionTerms(program, session, ({ policy, rules }) =>
    checkExamples([...rules, ...policy.denyRules, ...policy.askRules], ruleMatcher(facts)),
  );
  const firewall = createFirewall(firewallKey(places));
  const ledger = openLedger({
    ...{ folder: program.project.ledger, store, actor: personName() },
    key: () => loadKeyPair(places.state),
    handovers: () => readHandovers(places.state),
    redact: (text) => firewall.redact(text).text,
    terms: () => terms.note(),
  });
  const { requester, people } = assemblePeople(program, session);
  const jobs = new Jobs();
  const snapshots = snapshotSource(program);
  const seen = sessionFacts(session, {
    ...{ config: program.config(), terms },
    ...{ role: highestRole(program), sandboxed: sandbox.name !== "none", task: room.task },
  });
  // It happens beside everything else: nobody waits for it who could be told.
  const noteBeside = (name: string, data: { [key: string]: Json }) => {
    try {
      noteCall(terms, () => ledger.note(name, data));
    } catch (error) {
      session.fail(error);
    }
  };
  const planted = lookForPlanted({ workspace, writable: [temporary] }, (files) => {
    const text = `Git control files that a command planted were set aside: ${files.join(", ")}.`;
    session.append({ type: "notice.given", code: "git.planted", level: "warning", text });
    noteBeside("git.planted", { session: session.id, files });
  });
  const fence = createFence({
    ...{ workspace, own, sandbox, jobs, firewall, snapshots, planted },
    temporary,
    ...(room.lent && { lent: room.lent }),
    spills: program.project.spills,
    env: grantedEnvironment(program.env, { temporary, home: places.home, writable: [workspace] }),
    limits: fenceLimits(settings),
    masked: sensitiveFiles(facts),
    jobEnded: ({ id, state, code }) =>
      noteBeside("job.ended", { session: session.id, job: id, state, code: code ?? null }),
    network: {
      bounds: () => egressBounds(settings, seen.context().policy),
      env: grantedEnvironment(program.env, { temporary, home: places.home, writable: [workspace], network: true }),
      ...networkLimits(settings),
      reached: (call, hosts) =>
        noteBeside("network.used", { session: session.id, call, hosts: hosts.map(reachedNote) }),
    },
    fetch: async (url, hosts) => {
      const { guardedFetch } = await import("../io/net/guarded.ts");
      return guardedFetch(url, hosts, fetchLimits(settings));
    },
  });
  const gate = createGate({
    ...{ facts, approver: people, session: seen, ledger, fence, firewall },
    clock: Date.now,
    approvalTimeoutMs: (kind) => approvalMs(program, kind),
    terms: approvalTerms(requester.name, settings, terms),
    preview: async (call) => (call.action.kind === "task" ? call.action.diff : previewChanges(call, facts, firewall)),
    random: () => randomBytes(8).toString("hex"),
  });
  return { gate, firewall, people, ledger, jobs, seen, snapshots, terms, planted };
}

/** Whoever opened the program asks for the run, and answers here unless nobody can. */
function assemblePeople(program: Program, session: Session) {
  const { flags, presence } = program;
  const requester = callerOf(program);
  const people = new People({
    store: program.store(),
    identity: requester,
    identityOf: (name) => (name === requester.name ? requester : identityOf(program, name)),
    voters: votersOf(program),
    signer: (name) => signerOf(program, name),
    answers: !flags.headless ? "here" : flags.waitApprovals === undefined ? "nobody" : "elsewhere",
    connected: () => presence.connected,
    tell: (fact) => void session.append(fact),
  });
  return { requester, people };
}

/** Looked up at each request: a policy may demand more while the session runs. */
const approvalTerms = (requester: string, { approval }: Settings, terms: SessionTerms) => ({
  requester,
  get fourEyes() {
    return approval.four_eyes || terms.current.policy.fourEyes;
  },
  get quorum() {
    return Math.max(approval.quorum, terms.current.policy.quorum);
  },
});

/** A run that nobody watches waits no longer than it was told to. */
function approvalMs({ flags, config }: Program, kind: ApprovalKind): number {
  const { timeout_secs, long_timeout_secs } = config().settings.approval;
  const usual = (kind === "tool" ? timeout_secs : long_timeout_secs) * 1000;
  return flags.headless && flags.waitApprovals ? flags.waitApprovals * 1000 : usual;
}

/** A policy may let work go on without a ledger. */
function noteCall(terms: SessionTerms, note: () => void): void {
  try {
    note();
  } catch (error) {
    if (terms.current.policy.requireLedger || !(error instanceof LedgerFault)) throw error;
  }
}

function prefixSource(program: Program, registry: Registry) {
  let prefix: Promise<Prefix> | undefined;
  return () => {
    prefix ??= prefixFor(program, registry);
    return prefix;
  };
}

async function prefixFor({ workspace, cwd }: Program, registry: Registry, mission?: string): Promise<Prefix> {
  const instructions = await readInstructions(workspace, cwd);
  const around = { workspace, platform: process.platform, instructions };
  return buildPrefix({ ...around, ...(mission !== undefined && { mission }) }, registry.specs);
}
