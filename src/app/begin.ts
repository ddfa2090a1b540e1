import { assemble, type Assembly } from "./assembly.ts";
import { armSource } from "./arms.ts";
import type { Program } from "./program.ts";
import { openSession, wantedSession } from "./sessions.ts";
import { temporaryFolder } from "./temporary.ts";

/**
 * Opens or makes the session and its agent. A new session needs a model that can be used, and a Fault says so before
 * anything is stored; a stored one may be rewound or reviewed without.
 */
export async function beginSession(program: Program): Promise<Assembly> {
  const arms = armSource(program);
  const wanted = wantedSession(program);
  const model = program.flags.model ?? wanted?.model ?? program.config().settings.model.default ?? "";
  const name = wanted && !program.flags.model ? model : (await arms(model)).name;
  const temporary = temporaryFolder();
  try {
    const session = openSession(program, name);
    if (session.state.asked.length > 0) (await import("./approvals.ts")).closeLost(program, session);
    return assemble(program, session, arms, { temporary });
  } catch (error) {
    temporary.remove();
    throw error;
  }
}
