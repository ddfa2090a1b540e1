import type { Assembly } from "../../agents/assembly.ts";
import type { Program } from "../../program/program.ts";

export interface QueryContext {
  program: Program;
  /** The session if one has begun. */
  running(): Promise<Assembly> | undefined;
}
