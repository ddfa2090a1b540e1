import type { Assembly } from "../assembly.ts";
import type { Program } from "../program.ts";

export interface QueryContext {
  program: Program;
  /** The session if one has begun. */
  running(): Promise<Assembly> | undefined;
}
