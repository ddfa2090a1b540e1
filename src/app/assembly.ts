// Puts one agent together: session, guard, model, tools. The only place that knows all the rooms.
import path from "node:path";
import { digestOf } from "../base/digest.ts";
import { Agent, type AgentParts } from "../engine/agent.ts";
import type { BudgetLimits } from "../engine/budget/calls.ts";
import { buildPrefix, ownSystem, type Prefix } from "../engine/context.ts";
import type { Session } from "../engine/session.ts";
import { createFirewall, type Firewall } from "../guard/firewall/firewall.ts";
import type { OwnWords } from "../guard/firewall/scrub.ts";
import type { Gate } from "../guard/gate.ts";
import { contentless } from "../guard/ledger/contentless.ts";
import { type Ledger, LedgerFault, openLedger } from "../guard/ledger/ledger.ts";
import type { Facts, SessionFacts, TaintedFiles } from "../guard/ports.ts";
import { checkExamples, hasExamples, type RuleMatcher } from "../io/config/rule-examples.ts";
import type { Terms } from "../io/config/terms.ts";
import { createFacts } from "../io/facts.ts";
import { readHandovers } from "../io/journal/handovers.ts";
import { keyPairReader } from "../io/journal/key.ts";
import { Jobs } from "../io/process/jobs.ts";
import type { Hurry } from "../io/process/spec.ts";
import { lookForPlanted } from "../io/sandbox/planted.ts";
import { readInstructions } from "../memory/instructions.ts";
import { createWire } from "../model/wire.ts";
import type { Stop } from "../protocol/event.ts";
import type { Json } from "../protocol/message.ts";
import type { EnvelopeTerms } from "../protocol/task.ts";
import { builtinTools } from "../tools/builtin.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";
import type { ArmSource } from "./arms.ts";
import { callerOf, highestRole } from "./caller.ts";
import { identityOf, signerOf, votersOf } from "./identities.ts";
import { firewallKey } from "./keys.ts";
import { knownSecrets } from "./known-secrets.ts";
import { agentLimits } from "./limits.ts";
import { namesInside } from "./network.ts";
import { ownFolders, personName, sandboxOf } from "./machine.ts";
import { sensitiveFiles } from "./masks.ts";
import { openMoney } from "./money.ts";
import { People } from "./people.ts";
import type { Program } from "./program.ts";
import type { Road, RoadParts } from "./road.ts";
import { noteStopAsked } from "./runs.ts";
import { sessionFacts } from "./session-facts.ts";
import { snapshotSource } from "./snapshots.ts";
import { taintedFiles } from "./tainted-files.ts";
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
  /** Loaded when first asked for. */
  gate(): Promise<Gate>;
  people: People;
  ledger: Ledger;
  jobs: Jobs;
  seen: SessionFacts;
  terms: SessionTerms;
  files: TaintedFiles;
  arm: ArmSource;
  close(): Promise<void>;
}

/** Spec §12: what is being done may end; then its processes are asked to end, and ended. */
const finishMs = 10_000;
const shutdown: Stop & Hurry = { kind: "interrupted", text: "Stopped: fettle was closed.", patienceMs: 5_000 };

/** What a session is given: made or loaded before it, or the frozen plan of the task that it works on. */
export interface More {
  temporary?: TemporaryFolder;
  road?: (parts: RoadParts) => Road;
  matcher?: (facts: Facts) => RuleMatcher;
  /** What the frozen plan of a task allows now. */
  task?: () => EnvelopeTerms | undefined;
  /** Folders of elsewhere that its commands see, read-only, inside of the workspace. */
  lent?: readonly { from: string; to: string }[];
}

interface GuardMore extends More {
  own: OwnWords;
}

/** The temporary folder is removed when it closes. */
export function assemble(program: Program, session: Session, arm: ArmSource, more: More = {}): Assembly {
  const { settings } = program.config();
  const { temporary = temporaryFolder() } = more;
  const registry = createRegistry(builtinTools);
  const own = { system: ownSystem, tools: registry.specs };
  const guard = assembleGuard(program, session, temporary.path, { ...more, own });
  const { gate, firewall, people, ledger, jobs, hooks } = guard;
  const money = openMoney(program);
  const sampling = digestOf({ temperature: settings.model.temperature, output: settings.model.max_output_tokens });
  const parts: AgentParts = {
    ...{ session, gate, registry, firewall, arm },
    snapshots: guard.snapshots,
    settled: () => guard.planted.settled(),
    wire: createWire(),
    prefix: prefixSource(program, registry),
    ...agentLimits(settings, program.workspace),
    budget: limitsOf(guard.terms),
    inherits: (source) => guard.files.among([path.resolve(program.cwd, source)], "") !== undefined,
    changedTainted: (paths) => guard.files.add(paths.map((each) => path.resolve(program.workspace, each))),
    monthSpent: () => money.month(),
    roundEnded: (fact) => {
      guard.terms.glance();
      money.record(program.incognito ? "incognito" : session.id, fact);
      const { turn, model, usage, cost } = fact;
      const data = { session: session.id, turn, model, sampling, usage, cost };
      noteCall(guard.terms, () => ledger.note("model.call", data, { lazily: true }));
    },
    question: (call, signal) => people.question(call, signal),
    ...(hooks && { hooks }),
    ...(program.flags.outputSchema !== undefined && { outputSchema: program.flags.outputSchema }),
  };
  const agent = new Agent(parts);
  return {
    ...{ session, agent, gate, people, ledger, jobs, arm, firewall, spills: program.project.spills },
    agentFor: (more) => new Agent({ ...parts, ...more }),
    missionPrefix: (mission, tools) => prefixFor(program, tools, mission),
    ...{ seen: guard.seen, terms: guard.terms, files: guard.files },
    async close() {
      people.leave();
      noteCall(guard.terms, () => noteStopAsked(program, session, ledger));
      await agent.finish(finishMs, shutdown);
      await jobs.closeAll(shutdown);
      await guard.planted.settled();
      await hooks?.end();
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

/** What stands between a call and the world and is needed before the first call; the gate itself is loaded for that. */
function assembleGuard(program: Program, session: Session, temporary: string, more: GuardMore) {
  const { settings } = program.config();
  const { workspace, places } = program;
  const sandbox = sandboxOf(program);
  const own = ownFolders(program);
  const facts = {
    ...createFacts({ workspace, home: places.home, temporary, own }),
    namedHost: (target: string) => namesInside(settings.network.hosts, target),
  };
  let matcher = more.matcher?.(facts);
  const terms = new SessionTerms(program, session, (fresh) => examplesHold(fresh, matcher));
  const masked = sensitiveFiles(facts);
  const firewall = createFirewall(firewallKey(places), knownSecrets(masked, facts), more.own);
  const ledger = sessionLedger(program, terms, firewall);
  const files = taintedFiles(program);
  const { requester, people } = assemblePeople(program, session);
  const jobs = new Jobs();
  const snapshots = snapshotSource(program);
  const base = { config: program.config(), terms, role: highestRole(program), sandboxed: sandbox.name !== "none" };
  const seen = sessionFacts(session, { ...base, task: more.task });
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
  const parts: RoadParts = {
    ...{ program, session, temporary, sandbox, own, facts, masked, terms, firewall, ledger, files },
    ...{ people, requester: requester.name, jobs, snapshots, seen, planted, noteBeside },
    ...(more.lent && { lent: more.lent }),
  };
  const opened = more.road?.(parts);
  let road: Promise<Road> | undefined = opened && Promise.resolve(opened);
  const gate = async (): Promise<Gate> => {
    road ??= import("./road.ts").then(({ openRoad, ruleMatcher }) => {
      matcher ??= ruleMatcher(facts);
      return openRoad(parts);
    });
    return (await road).gate;
  };
  return { gate, hooks: opened?.hooks, firewall, people, ledger, jobs, seen, snapshots, terms, planted, files };
}

/** False when that cannot be told yet. Throws a Fault when a rule contradicts its own examples. */
function examplesHold({ policy, rules }: Terms, matcher: RuleMatcher | undefined): boolean {
  const all = [...rules, ...policy.denyRules, ...policy.askRules];
  if (matcher) checkExamples(all, matcher);
  return matcher !== undefined || !all.some(hasExamples);
}

/** Of an incognito session without content. */
function sessionLedger(program: Program, terms: SessionTerms, firewall: Firewall): Ledger {
  const { places } = program;
  const recorded = openLedger({
    ...{ folder: program.project.ledger, store: program.kept(), actor: personName() },
    key: keyPairReader(places.state),
    handovers: () => readHandovers(places.state),
    redact: (text) => firewall.redact(text).text,
    terms: () => terms.note(),
  });
  return program.incognito ? contentless(recorded) : recorded;
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
