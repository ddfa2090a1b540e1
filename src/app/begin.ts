import { assemble, type Assembly } from "./assembly.ts";
import { armSource } from "./arms.ts";
import type { Program } from "./program.ts";
import { openSession, wantedSession } from "./sessions.ts";

/** Opens or makes the session and its agent. Rejects with a Fault, before anything is stored, when no model can be used. */
export async function beginSession(program: Program): Promise<Assembly> {
  const arms = armSource(program);
  const wanted = wantedSession(program);
  const model = program.flags.model ?? wanted?.model ?? program.config().settings.model.default ?? "";
  const arm = await arms(model);
  return assemble(program, openSession(program, arm.name), arms);
}
