import type { Autonomy, Ceiling, Role } from "./decision.ts";
import type { Effort } from "./effort.ts";
import type { Identity } from "./identity.ts";
import type { Json } from "./message.ts";

/** An MCP server that an editor hands over: a program with its arguments and variables, or an address with its headers. */
export interface HandedServer {
  name: string;
  command?: string[];
  url?: string;
  set: { [name: string]: string };
  headers: { [name: string]: string };
}

/** How a surface opens the program: what command-line flags can say. Undefined fields leave the configuration's value. */
export interface OpenFlags {
  /** Folder to start in; default: the process's. The workspace is its git toplevel, else itself. */
  cwd?: string;
  model?: string;
  /** For the session that is opened. */
  effort?: Effort;
  autonomy?: Autonomy;
  ceiling?: Ceiling;
  /** Lower than the caller's own role. */
  role?: Role;
  /** Who opens the program; absent: the person at this machine. */
  identity?: Identity;
  /** US dollars, for this session. */
  maxCost?: number;
  maxRounds?: number;
  /** `fork`: a copy of it is gone on with, and it stays as it is. */
  session?: { kind: "new" } | { kind: "latest"; fork?: boolean } | { kind: "resume"; id: string; fork?: boolean };
  /** Nothing of the session is kept. */
  incognito?: boolean;
  /** A person sits at the terminal that opens it: what is asked waits as long as the terminal is open. */
  attended?: boolean;
  /** Nobody can answer: an ask is denied, the run goes on, the exit code is 3. */
  headless: boolean;
  /** Headless, but an ask waits so many seconds for an answer from elsewhere (0: as long as the settings say). */
  waitApprovals?: number;
  /** MCP servers of this session besides those that are set up: each start of one asks. */
  servers?: HandedServer[];
  /** Another program calls tools: the session needs no model. */
  served?: boolean;
  /** MCP servers that are passed on to that program, by name. */
  passing?: readonly string[];
  /** JSON Schema that the final answer must satisfy. */
  outputSchema?: Json;
  /** Further settings for this run, `section.key` to value (the demo uses this). */
  settings?: { [key: string]: Json };
  /** Folder whose programs commands find before all others (the demo uses this). */
  programs?: string;
  /** What the person reads (a BCP 47 tag), where that is not English. */
  language?: string;
  /** File that receives a recording of the model traffic. */
  record?: string;
}
