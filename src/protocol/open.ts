import type { Autonomy, Ceiling } from "./decision.ts";
import type { Json } from "./message.ts";

/** How a surface opens the program: what command-line flags can say. Undefined fields leave the configuration's value. */
export interface OpenFlags {
  /** Folder to start in; default: the process's. The workspace is its git toplevel, else itself. */
  cwd?: string;
  model?: string;
  autonomy?: Autonomy;
  ceiling?: Ceiling;
  /** US dollars, for this session. */
  maxCost?: number;
  maxRounds?: number;
  session?: { kind: "new" } | { kind: "latest" } | { kind: "resume"; id: string };
  /** Nobody can answer: an ask is denied, the run goes on, the exit code is 3. */
  headless: boolean;
  /** JSON Schema that the final answer must satisfy. */
  outputSchema?: Json;
  /** Further settings for this run, `section.key` to value (the demo uses this). */
  settings?: { [key: string]: Json };
  /** File that receives a recording of the model traffic. */
  record?: string;
}
