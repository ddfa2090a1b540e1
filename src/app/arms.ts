import type { Arm } from "../model/arms.ts";
import { resolveArm } from "../model/arms.ts";
import { refuseRemote } from "./incognito.ts";
import type { Program } from "./program.ts";

/** Resolves a model name once per process; with `--record` the provider is wrapped by the recorder. */
export type ArmSource = (name: string) => Promise<Arm>;

export function armSource(program: Program): ArmSource {
  const known = new Map<string, Promise<Arm>>();
  const resolve = async (name: string): Promise<Arm> => {
    const arm = refuseRemote(program, await resolveArm(name || undefined, program.config().settings, program.env));
    const file = program.flags.record;
    if (!file) return arm;
    const { recordProvider } = await import("../model/recorder.ts");
    return { ...arm, provider: recordProvider(arm.provider, file) };
  };
  return (name) => {
    const found = known.get(name) ?? resolve(name);
    known.set(name, found);
    // A failed resolution (server not up yet) may succeed when the person tries again.
    found.catch(() => known.delete(name));
    return found;
  };
}
