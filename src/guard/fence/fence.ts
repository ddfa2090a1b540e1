// Turns a decision into a Grant: handles that allow exactly what was assessed. The only maker of grants.
import path from "node:path";
import { readBytes } from "../../io/files/bytes.ts";
import type { GitHand, GitTask } from "../../io/git/hand.ts";
import type { ForgeHand, ForgeTask } from "../../io/forge/spec.ts";
import type { McpPort } from "../../io/mcp/spec.ts";
import type { FetchReply } from "../../io/net/spec.ts";
import { partNamed } from "../../io/changes/plan.ts";
import type { Decision } from "../../protocol/decision.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { ActionOf, GateCall } from "../../protocol/action.ts";
import { Allowance } from "./allowance.ts";
import { grantedFiles } from "./files.ts";
import { grantedJobs } from "./jobs.ts";
import { grantedProcess, neverRun, type ProcessWorld } from "./process.ts";
import { grantedMcp } from "./mcp.ts";
import { type RunOutcome, showWritten } from "./layered.ts";
import { scratchNotes, type ScratchTold } from "./scratch.ts";
import { networkText } from "./network.ts";
import type { Firewall } from "../firewall/firewall.ts";
import { type AgentReport, type Grant, GrantError, refuseStopped } from "../contract/grant.ts";
import type { Facts } from "../contract/ports.ts";
import { sealGrant } from "../contract/sealed-grant.ts";

/** The subagents of the session whose calls this fence is for. */
export type AgentPort = (act: {
  action: ActionOf<"agent">;
  call: string;
  signal: AbortSignal;
}) => Promise<AgentReport[]>;

export interface FenceWorld extends ProcessWorld {
  agents?: AgentPort;
  firewall: Firewall;
  fetch: (url: string, hosts: readonly string[]) => Promise<FetchReply>;
  git?: (task: GitTask) => GitHand;
  forge?: (task: ForgeTask, signal: AbortSignal) => Promise<ForgeHand>;
  /** The MCP servers of the session. */
  mcp?: McpPort;
}

/** `decision`: where there was one. */
export interface JudgedCall {
  call: GateCall;
  assessment: Assessment;
  decision?: Pick<Decision, "quiet">;
}

export interface Fence {
  readonly sandboxed: boolean;
  /** Which hosts a program that was judged so gets to, in words; undefined: none. */
  networkText(assessment: Assessment, facts: Facts): string | undefined;
  /** What was judged, and the facts it was judged by. */
  grant(judged: JudgedCall, signal: AbortSignal, facts: Facts): Grant;
  /** Why it would not be run, whatever a person says; undefined: it would. */
  neverRun?(judged: JudgedCall, facts: Facts): Promise<GrantError | undefined>;
  /** What the result of a call has to say of the world that it was run in. */
  notes?(judged: { call: GateCall; assessment: Assessment }, facts: Facts): string[];
  /** What the run of a grant has left to be done; undefined where there is nothing. */
  outcome(grant: Grant): RunOutcome | undefined;
}

export function createFence(world: FenceWorld): Fence {
  const outcomes = new WeakMap<Grant, RunOutcome>();
  const told: ScratchTold = { once: false };
  return {
    sandboxed: world.sandbox.name !== "none",
    networkText: (assessment, facts) => networkText(assessment, facts, world.network?.bounds()),
    grant({ call, assessment, decision }, signal, facts) {
      const { action } = call;
      const alive = () => refuseStopped(signal);
      const allowance = new Allowance(assessment, facts);
      const outcome: RunOutcome = { held: [], applied: [] };
      const grant = sealGrant({
        workspace: world.workspace,
        ...(facts.privateTmp && { privateTmp: facts.temporary }),
        files: grantedFiles({
          ...{ action, allowance, facts, alive },
          ...{ firewall: world.firewall, own: world.layered?.own, changes: world.changes },
          wrote: (file) => world.layered && showWritten(world.layered, world.workspace, file),
        }),
        process: grantedProcess({
          ...{ world, call: call.id, action, assessment, allowance, facts, signal, outcome },
          quiet: decision?.quiet === true,
        }),
        jobs: grantedJobs({ world, action, signal }),
        agents: {
          async act() {
            alive();
            if (action.kind !== "agent" || !world.agents) throw new GrantError("This call may not use subagents.");
            return world.agents({ action, call: call.id, signal });
          },
        },
        async fetch() {
          alive();
          const hosts = assessment.effects.filter(({ kind }) => kind === "network").map(({ target }) => target);
          if (action.kind !== "fetch" || hosts.length === 0) throw new GrantError("This call may not use the network.");
          return unlessStopped(world.fetch(action.url, hosts), signal);
        },
        async forge() {
          alive();
          if (action.kind !== "forge") throw new GrantError("This call may not talk to a remote.");
          if (!world.forge) throw new GrantError("No remote can be reached from here.");
          return world.forge(action, signal);
        },
        git() {
          alive();
          if (action.kind !== "git" || !world.git) throw new GrantError("This call may not write to the repository.");
          return world.git(action);
        },
        mcp: () => grantedMcp({ world, call: call.id, action, assessment, facts, signal }),
        async spilled(range) {
          alive();
          if (action.kind !== "spill") throw new GrantError("This call may not read kept output.");
          return readSpill(world.spills, action.handle, range);
        },
        async restore() {
          alive();
          if (action.kind !== "restore") throw new GrantError("This call may not restore files.");
          const changes = await world.changes?.();
          const part = partNamed(action.checkpoint);
          if (changes && part) return changes.takeBack(part, action.paths);
          const snapshots = await world.snapshots?.();
          if (!snapshots || "unavailable" in snapshots)
            throw new GrantError("There are no checkpoints on this machine.");
          const { checkpoint, paths } = action;
          const putBack = () => snapshots.restore(checkpoint, paths);
          return changes ? changes.undoing(() => changes.around(paths, putBack)) : putBack();
        },
      });
      outcomes.set(grant, outcome);
      return grant;
    },
    neverRun: ({ call: { action }, assessment }, facts) =>
      neverRun({ world, action, assessment, allowance: new Allowance(assessment, facts), facts }),
    notes: (judged, facts) => scratchNotes(judged, facts, told),
    outcome(grant) {
      const found = outcomes.get(grant);
      return found && (found.held.length > 0 || found.applied.length > 0) ? found : undefined;
    },
  };
}

async function readSpill(folder: string, handle: string, range: { offset: number; limit: number }) {
  if (!/^out-[0-9a-f]{12}$/.test(handle)) throw new GrantError(`There is no kept output ${JSON.stringify(handle)}.`);
  const { bytes, size } = await readBytes(path.join(folder, handle), range);
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), size };
}

function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(new GrantError("The call was stopped."));
    signal.addEventListener("abort", stopped, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stopped));
  });
}
