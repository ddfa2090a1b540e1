// What a call would be judged by in a session that begins now.
import type { DecideContext } from "../../guard/contract/ports.ts";
import { actingRole } from "../program/caller.ts";
import { sandboxOf } from "../program/machine.ts";
import type { Program } from "../program/program.ts";
import { layersOf } from "./layered.ts";
import { newSessionContext } from "./session-facts.ts";

export const newContext = (program: Program): DecideContext =>
  newSessionContext(program.config(), actingRole(program), keptIn(program));

function keptIn(program: Program) {
  const sandbox = sandboxOf(program);
  return { sandboxed: sandbox.name !== "none", layers: () => "layers" in layersOf(program, sandbox) };
}
