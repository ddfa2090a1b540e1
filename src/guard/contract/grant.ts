// What one decision allows. Only guard/fence/fence.ts makes a Grant; tools get nothing else to reach the machine with.
import type { Job, JobLook, ProcessExit } from "../../io/process/spec.ts";
import type { GrepMatch, GrepSpec, FindSpec, FileBytes, Entry } from "../../io/files/spec.ts";
import type { ForgeHand } from "../../io/forge/spec.ts";
import type { GitHand } from "../../io/git/hand.ts";
import type { McpHand } from "../../io/mcp/spec.ts";
import type { FetchReply } from "../../io/net/spec.ts";
import type { AgentRow } from "../../protocol/agent.ts";

/** Every method refuses (rejects with GrantError) what the assessed effects do not cover. Paths: absolute or workspace-relative. */
export interface GrantedFiles {
  /** At most `limit` bytes from byte `offset`. */
  read(path: string, range?: { offset?: number; limit?: number }): Promise<FileBytes>;
  list(path: string): Promise<Entry[]>;
  /** Workspace-relative paths, sorted; ignore files respected, sensitive files left out. */
  find(spec: FindSpec): Promise<{ paths: string[]; more: boolean }>;
  grep(spec: GrepSpec): Promise<{ matches: GrepMatch[]; more: boolean }>;
  /** Atomic replacement that keeps the file mode; creates missing folders. Marks of the secrets firewall are restored or refused here. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Takes back what this grant has changed, latest first; answers what could not be put back, each with its reason. */
  undo(): Promise<string[]>;
}

export interface GrantedProcess {
  /** Runs exactly the assessed command, to its end or its time limit, or until `signal` fires. */
  run(onOutput?: (text: string) => void, signal?: AbortSignal): Promise<ProcessExit>;
  /** Starts exactly the assessed command in the background, under a lease. */
  start(): Promise<Job>;
  /** How the program that this grant has started is, and at which of the ports somebody listens where it runs. */
  look(ports: readonly number[]): Promise<JobLook>;
}

export interface GrantedJobs {
  read(job: string): Promise<Job & { output: string; more: number }>;
  kill(job: string): Promise<Job>;
}

interface GrantedAgents {
  /** Does exactly what was assessed: starts, tells, awaits, lists or ends subagents; answers how each of them is then. */
  act(): Promise<AgentReport[]>;
}

/** `text`: what it answered last; empty while it works. */
export interface AgentReport {
  row: AgentRow;
  text: string;
}

declare const seal: unique symbol;

export interface Grant {
  /** Only `sealGrant` writes this; it is no field of the value. */
  readonly [seal]: "Grant";
  readonly workspace: string;
  /** The private temporary folder, where commands and file tools have it as /tmp. */
  readonly privateTmp?: string | undefined;
  readonly files: GrantedFiles;
  readonly process: GrantedProcess;
  readonly jobs: GrantedJobs;
  readonly agents: GrantedAgents;
  fetch(): Promise<FetchReply>;
  /** At the remote or the forge that was judged, and for what was judged only. */
  forge(): Promise<ForgeHand>;
  /** fettle's own git, for the act that was judged and no other. */
  git(): GitHand;
  /** The MCP server that was judged, for the act that was judged. */
  mcp(): McpHand;
  /** Full text of an earlier result, by handle. */
  spilled(range: { offset: number; limit: number }): Promise<{ text: string; size: number }>;
  restore(): Promise<{ restored: string[] }>;
}

export class GrantError extends Error {
  override readonly name = "GrantError";
  /** Without how the same is done in another way. */
  readonly why: string;

  constructor(why: string, advice = "") {
    super(`${why} ${advice}`.trim());
    this.why = why;
  }
}

/** Throws a GrantError once the call was stopped. */
export function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new GrantError("The call was stopped.");
}
