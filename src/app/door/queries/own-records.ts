// What of the project's records whoever asks may read: another agent that fettle serves has the rights of its role, and
// what other sessions read, wrote and were told can lie outside of them.
import { Fault } from "../../../base/fault.ts";
import { lowerRole } from "../../../guard/limits/role.ts";
import { Exit } from "../../../protocol/exit.ts";
import { actingRole, callerOf } from "../../program/caller.ts";
import type { Program } from "../../program/program.ts";
import type { QueryContext } from "./context.ts";

/** From this role on a program may be run that reads as much. */
const enough = "privileged";

const readsAll = (program: Program): boolean =>
  program.flags.served !== true || lowerRole(enough, actingRole(program)) === enough;

/** Those that it may read: else its own session and what works for that. */
export async function readable<Row extends { id: string; parent?: string }>(
  { program, running }: QueryContext,
  rows: readonly Row[],
): Promise<Row[]> {
  if (readsAll(program)) return [...rows];
  const own = (await running())?.session.id;
  return rows.filter(({ id, parent }) => own !== undefined && (id === own || parent === own));
}

/** Throws a Fault for what is none of its own. */
export function needRecords(program: Program, what: string): void {
  if (readsAll(program)) return;
  const { name } = callerOf(program);
  throw new Fault(
    "role.records",
    Exit.usage,
    `${what} may be read with the role privileged; ${name} has ${actingRole(program)} here.`,
    "Give the server another identity or role: fettle mcp serve --as NAME --role privileged",
  );
}
