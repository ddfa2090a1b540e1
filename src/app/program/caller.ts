// Who has opened the program, and what may be done for them at most.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Role } from "../../protocol/decision.ts";
import type { Identity } from "../../protocol/identity.ts";
import { lowerRole } from "../../guard/limits/role.ts";
import { parentVariable } from "../../io/config/parent.ts";
import { localIdentity } from "./identities.ts";
import type { Program } from "./program.ts";

/** The surface says who it is; without a word it is the person at this machine. */
export const callerOf = ({ flags, config }: Program): Identity => flags.identity ?? localIdentity({ config });

/** The most that a session may act as: the caller's own role and the setting, which policy has clamped. */
export const highestRole = (program: Program): Role =>
  lowerRole(callerOf(program).role, program.config().settings.role.max);

/** The role that a new session begins with. Throws a Fault when the flag asks for more than there is. */
export function actingRole(program: Program): Role {
  const highest = highestRole(program);
  return program.flags.role === undefined ? highest : within(program.flags.role, highest);
}

export function within(wanted: Role, highest: Role): Role {
  if (lowerRole(wanted, highest) === wanted) return wanted;
  throw new Fault(
    "role.higher",
    Exit.usage,
    `The role ${wanted} is more than ${highest}, which is the most here; a role may only be lowered.`,
    "See the setting role.max, the identity's role, and `fettle policy explain max_role`.",
  );
}

/** What only a person may say, no fettle that another one started says for them. Throws a Fault. */
export function needPerson({ env }: Pick<Program, "env">, what: string): void {
  if (env[parentVariable] === undefined) return;
  throw new Fault(
    "parent.person",
    Exit.usage,
    `${what} is for a person; this fettle was started by another one.`,
    "Do it in a terminal of your own.",
  );
}

/** Policy, trust and retention are for admins; what the person at this machine does by command is theirs. Throws a Fault. */
export function needAdmin(program: Program, what: string): void {
  needPerson(program, what);
  // The person at this machine may set a value also while the configuration, which knows the others, is broken.
  if (program.flags.identity === undefined) return;
  const { name, role, surface } = callerOf(program);
  if (role === "admin" || surface === "local") return;
  throw new Fault(
    "role.admin",
    Exit.usage,
    `${what} needs the role admin; ${name} has ${role}.`,
    "Ask somebody who has it: fettle identity list",
  );
}
