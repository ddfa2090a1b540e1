// Puts one agent together: session, guard, model, tools. The only place that knows all the rooms.
import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { Agent } from "../engine/agent.ts";
import { buildPrefix } from "../engine/context.ts";
import type { Session } from "../engine/session.ts";
import { createFence } from "../guard/fence.ts";
import { createFirewall } from "../guard/firewall/firewall.ts";
import { createGate, type Gate } from "../guard/gate.ts";
import { type Ledger, LedgerFault, openLedger } from "../guard/ledger/ledger.ts";
import type { Facts, SessionFacts } from "../guard/ports.ts";
import { previewChanges } from "../guard/preview.ts";
import { createFacts } from "../io/facts.ts";
import { loadKeyPair } from "../io/journal/key.ts";
import { grantedEnvironment } from "../io/process/environment.ts";
import { Jobs } from "../io/process/jobs.ts";
import { detectSandbox, type Sandbox } from "../io/sandbox/sandbox.ts";
import { readInstructions } from "../memory/instructions.ts";
import { createWire } from "../model/wire.ts";
import type { Settings } from "../io/config/settings.ts";
import { builtinTools } from "../tools/builtin.ts";
import { createRegistry } from "../tools/registry.ts";
import type { ArmSource } from "./arms.ts";
import { packageRoot } from "./installation.ts";
import { firewallKey } from "./keys.ts";
import { findSensitive } from "./masks.ts";
import { limitOf, openMoney } from "./money.ts";
import { People } from "./people.ts";
import type { Program } from "./program.ts";
import { sessionFacts } from "./session-facts.ts";
import { snapshotSource } from "./snapshots.ts";
import { temporaryFolder } from "./temporary.ts";

/** A running session: its agent, and what has to be closed with it. */
export interface Assembly {
  session: Session;
  agent: Agent;
  gate: Gate;
  people: People;
  ledger: Ledger;
  jobs: Jobs;
  seen: SessionFacts;
  arm: ArmSource;
  close(): Promise<void>;
}

export const personName = (): string => `local:${os.userInfo().username}`;

/** fettle's own folders: no grant reads or writes them. */
export const ownFolders = (program: Program): string[] => [
  program.places.config,
  program.places.state,
  program.places.cache,
  packageRoot(),
];

export const sandboxOf = (program: Program): Sandbox =>
  detectSandbox({ enabled: program.config().settings.sandbox.enabled, cacheFolder: program.places.cache });

/** For judging outside a session: nothing is granted, so no temporary folder is made. */
export const factsOf = (program: Program): Facts =>
  createFacts({
    workspace: program.workspace,
    home: program.places.home,
    temporary: path.join(os.tmpdir(), "fettle-none"),
    own: ownFolders(program),
  });

export function assemble(program: Program, session: Session, arm: ArmSource): Assembly {
  const { settings } = program.config();
  const store = program.store();
  const sandbox = sandboxOf(program);
  const temporary = temporaryFolder();
  const own = ownFolders(program);
  const facts = createFacts({
    workspace: program.workspace,
    home: program.places.home,
    temporary: temporary.path,
    own,
  });
  const firewall = createFirewall(firewallKey(program.places));
  const ledger = openLedger({
    ...{ folder: program.project.ledger, store, actor: personName() },
    key: () => loadKeyPair(program.places.state),
    redact: (text) => firewall.redact(text).text,
  });
  const people = new People({ store, headless: program.flags.headless, person: personName() });
  const jobs = new Jobs();
  const money = openMoney(program);
  const snapshots = snapshotSource(program);
  const seen = sessionFacts(session, program.config(), sandbox.name !== "none");

  const fence = createFence({
    ...{ workspace: program.workspace, temporary: temporary.path, own, sandbox, jobs, firewall },
    snapshots,
    spills: program.project.spills,
    env: grantedEnvironment(program.env, { temporary: temporary.path, home: program.places.home }),
    limits: fenceLimits(settings),
    masked: maskSource(facts),
    fetch: async (url, hosts) => (await import("../io/net/guarded.ts")).guardedFetch(url, hosts),
  });
  const gate = createGate({
    ...{ facts, approver: people, session: seen, ledger, fence, firewall },
    clock: Date.now,
    approvalTimeoutMs: settings.approval.timeout_secs * 1000,
    preview: (call) => previewChanges(call, facts, firewall),
    random: () => randomBytes(8).toString("hex"),
  });
  const registry = createRegistry(builtinTools);
  const agent = new Agent({
    ...{ session, gate, registry, firewall, snapshots },
    wire: createWire(),
    arm,
    prefix: prefixSource(program, registry),
    ...agentLimits(settings),
    monthSpent: () => money.month(),
    roundEnded: (fact) => {
      money.record(session.id, fact);
      const { turn, model, usage, cost } = fact;
      noteCall(program, () => ledger.note("model.call", { session: session.id, turn, model, usage, cost }));
    },
    question: (call, _text, _options, signal) => people.question(call, signal),
    ...(program.flags.outputSchema !== undefined && { outputSchema: program.flags.outputSchema }),
  });
  return {
    ...{ session, agent, gate, people, ledger, jobs, seen, arm },
    async close() {
      people.leave();
      agent.stop();
      await agent.idle();
      await jobs.closeAll();
      ledger.seal("session.end");
      ledger.close();
      money.close();
      temporary.remove();
    },
  };
}

/** A policy may let work go on without a ledger. */
function noteCall(program: Program, note: () => void): void {
  try {
    note();
  } catch (error) {
    if (program.config().policy.requireLedger || !(error instanceof LedgerFault)) throw error;
  }
}

function fenceLimits(settings: Settings) {
  const seconds = settings.tools.timeout_secs;
  const half = Math.floor(settings.tools.output_bytes / 2);
  return {
    timeoutMs: {
      image: seconds.image * 1000,
      build: seconds.build * 1000,
      install: seconds.install * 1000,
      test: seconds.test * 1000,
      migration: seconds.migration * 1000,
      other: seconds.other * 1000,
    },
    head: half,
    tail: half,
    spillBytes: settings.tools.spill_mb * 1024 * 1024,
  };
}

function agentLimits(settings: Settings) {
  const { limits, model, budget } = settings;
  return {
    progress: {
      rounds: limits.rounds,
      noProgressRounds: limits.no_progress_rounds,
      failingRounds: limits.failing_rounds,
      denials: limits.denials,
      repeatHint: limits.repeat_hint,
      repeatStop: limits.repeat_stop,
    },
    budget: { session: limitOf(budget.session_limit_usd), month: limitOf(budget.monthly_limit_usd) },
    maxOutputTokens: model.max_output_tokens,
    temperature: model.temperature,
    // A longer timer would fire at once.
    turnMs: Math.min(limits.turn_minutes * 60_000, 2 ** 31 - 1),
  };
}

/** Looked for when a command first needs it, and again for every later one: files may have appeared. */
function maskSource(facts: Facts): () => readonly string[] {
  return () => findSensitive(facts);
}

function prefixSource(program: Program, registry: ReturnType<typeof createRegistry>) {
  let prefix: Promise<ReturnType<typeof buildPrefix>> | undefined;
  return () => {
    prefix ??= readInstructions(program.workspace, program.cwd).then((instructions) =>
      buildPrefix({ workspace: program.workspace, platform: process.platform, instructions }, registry.specs),
    );
    return prefix;
  };
}
