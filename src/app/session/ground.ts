// What all agents of a session stand on: one road to the world, the same people, one ledger. Its parts are made here, once.
import path from "node:path";
import type { Session } from "../../engine/session/session.ts";
import type { AgentPort } from "../../guard/fence/fence.ts";
import { createFirewall, type Firewall } from "../../guard/firewall/firewall.ts";
import type { OwnWords } from "../../guard/firewall/scrub.ts";
import { contentless } from "../../guard/ledger/contentless.ts";
import { type Ledger, LedgerFault, openLedger } from "../../guard/ledger/ledger.ts";
import type { Facts, TaintedFiles } from "../../guard/contract/ports.ts";
import { checkExamples, hasExamples, type RuleMatcher } from "../../io/config/rule-examples.ts";
import type { Terms } from "../../io/config/terms.ts";
import { createFacts } from "../../io/facts.ts";
import { readHandovers } from "../../io/journal/handovers.ts";
import { keyPairReader } from "../../io/journal/key.ts";
import { knownHeadFile } from "../../io/journal/known-head.ts";
import { Jobs } from "../../io/process/jobs.ts";
import { lookForPlanted } from "../../io/sandbox/planted.ts";
import { Room } from "../../io/sandbox/room.ts";
import type { Json } from "../../protocol/message.ts";
import type { EnvelopeTerms } from "../../protocol/task.ts";
import { callerOf, highestRole } from "../program/caller.ts";
import { forgeHosts } from "../program/forge.ts";
import type { SessionHooks } from "./hooks.ts";
import { identityOf, signerOf, votersOf } from "../program/identities.ts";
import { firewallKey } from "../program/keys.ts";
import { layeredFor, type SessionLayered } from "./layered.ts";
import { knownSecrets } from "./known-secrets.ts";
import { namesInside } from "../program/network.ts";
import { ownFolders, personName, sandboxOf } from "../program/machine.ts";
import { sensitiveFiles } from "./masks.ts";
import { type OwnChangesSource, ownChangesSource } from "./own-changes.ts";
import { People } from "../record/people.ts";
import type { Program } from "../program/program.ts";
import type { Road, RoadParts } from "./road.ts";
import { keepSecretsOut } from "../program/stored-secrets.ts";
import { type SeenSession, sessionFacts } from "./session-facts.ts";
import { snapshotSource } from "../program/snapshots.ts";
import { taintedFiles } from "./tainted-files.ts";
import { SessionTerms } from "../record/terms.ts";

export interface Ground {
  /** Loaded when first asked for. */
  road(): Promise<Road>;
  hooks: SessionHooks | undefined;
  firewall: Firewall;
  people: People;
  ledger: Ledger;
  jobs: Jobs;
  /** Of subagents at work. */
  jobsBelow: Set<Jobs>;
  room: Room | undefined;
  seen: SeenSession;
  snapshots: ReturnType<typeof snapshotSource>;
  changes: OwnChangesSource;
  terms: SessionTerms;
  planted: ReturnType<typeof lookForPlanted>;
  layered: SessionLayered;
  files: TaintedFiles;
  /** What a person has denied subagents of the session since they last spoke. */
  refused: string[][];
  /** What it was made of. */
  made: { parts: RoadParts; more: GroundMore };
}

/** What is loaded before a session, or binds it. */
export interface GroundMore {
  own: OwnWords;
  /** The subagents that its first agent may start. */
  agents?: {
    port: AgentPort;
    /** Whether the definition, or the subagent of that name, can do nothing but read. */
    reads(name: string): boolean;
  };
  road?: (parts: RoadParts) => Road;
  matcher?: (facts: Facts) => RuleMatcher;
  /** What the frozen plan of a task allows now. */
  task?: () => EnvelopeTerms | undefined;
  /** Folders of elsewhere that its commands see, read-only, inside of the workspace. */
  lent?: readonly { from: string; to: string }[];
  /** The person's checkout, where the workspace is a worktree of it: its secrets stay out of sight and out of any text. */
  checkout?: string;
}

/** Loads nothing that is not needed before the first call; the gate itself is loaded for that. */
export function openGround(program: Program, session: Session, temporary: string, more: GroundMore): Ground {
  const { settings } = program.config();
  const { workspace, places } = program;
  const sandbox = sandboxOf(program);
  const own = ownFolders(program);
  const facts = {
    ...createFacts({ workspace, home: places.home, temporary, own, privateTmp: sandbox.name === "bubblewrap" }),
    readingAgent: (name: string) => more.agents?.reads(name) === true,
    namedHost: (target: string) => namesInside(settings.network.hosts, target),
    forgeHost: (target: string) => forgeHosts(settings).includes(target),
    ownNetwork: sandbox.openRoom !== undefined,
    sharedNetwork: () => room.opened !== undefined,
    writtenBySession: (real: string) => layered.own.owns(real),
  };
  let matcher = more.matcher?.(facts);
  const terms = new SessionTerms(program, session, (fresh) => examplesHold(fresh, matcher));
  const inside = sensitiveFiles(facts, partlyMasked(session));
  const { checkout } = more;
  const beside = checkout === undefined ? undefined : sensitiveFiles({ ...facts, workspace: checkout });
  const masked = () => [...inside.all(), ...(beside?.all() ?? [])];
  const known = knownSecrets(() => [...inside.near(), ...(beside?.near() ?? [])], facts);
  keepSecretsOut(program, known);
  const firewall = createFirewall(firewallKey(places), known, more.own);
  const ledger = sessionLedger(program, session, terms, firewall);
  const files = taintedFiles(program);
  const layered = layeredFor(program, sandbox, { task: more.task, lent: more.lent, terms });
  const kept = { sandboxed: sandbox.name !== "none", layers: () => layered.layers() !== undefined };
  const { requester, people } = assemblePeople(program, session);
  const jobs = new Jobs();
  const room = new Room(sandbox, { required: more.task !== undefined });
  const snapshots = snapshotSource(program);
  const changes = ownChangesSource(program, session);
  const base = { config: program.config(), terms, role: highestRole(program), kept };
  const refused: string[][] = [];
  const seen = sessionFacts(session, { ...base, task: more.task, refused });
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
    ...{ people, requester: requester.name, jobs, room, snapshots, changes, seen, planted, layered, noteBeside },
    ...(more.lent && { lent: more.lent }),
    ...(more.agents && { agents: more.agents.port }),
  };
  const opened = more.road?.(parts);
  let opening: Promise<Road> | undefined = opened && Promise.resolve(opened);
  const road = (): Promise<Road> => {
    opening ??= import("./road.ts").then(({ openRoad, ruleMatcher }) => {
      matcher ??= ruleMatcher(facts);
      return openRoad(parts);
    });
    return opening;
  };
  const shared = {
    jobsBelow: new Set<Jobs>(),
    firewall,
    people,
    ledger,
    jobs,
    room,
    seen,
    ...{ snapshots, changes, terms, planted },
    layered,
    files,
    refused,
    made: { parts, more },
  };
  return { road, hooks: opened?.hooks, ...shared };
}

const partlyMasked = (session: Session) => (text: string) =>
  session.append({ type: "notice.given", code: "masks.partial", level: "warning", text });

/** False when that cannot be told yet. Throws a Fault when a rule contradicts its own examples. */
function examplesHold({ policy, rules }: Terms, matcher: RuleMatcher | undefined): boolean {
  const all = [...rules, ...policy.denyRules, ...policy.askRules];
  if (matcher) checkExamples(all, matcher);
  return matcher !== undefined || !all.some(hasExamples);
}

/** Of an incognito session without content. */
function sessionLedger(program: Program, session: Session, terms: SessionTerms, firewall: Firewall): Ledger {
  const { places } = program;
  const recorded = openLedger({
    ...{ folder: program.project.ledger, store: program.kept(), actor: personName() },
    key: keyPairReader(places.state),
    handovers: () => readHandovers(places.state),
    knownHead: knownHeadFile(places.state, path.basename(program.project.root)),
    tell: (text) => void session.append({ type: "notice.given", code: "ledger.unproven", level: "warning", text }),
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
    attended: flags.attended === true,
    tell: (fact) => void session.append(fact),
  });
  return { requester, people };
}

/** A policy may let work go on without a ledger. */
export function noteCall(terms: SessionTerms, note: () => void): void {
  try {
    note();
  } catch (error) {
    if (terms.current.policy.requireLedger || !(error instanceof LedgerFault)) throw error;
  }
}
