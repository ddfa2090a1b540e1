import type { Arm } from "../model/arm.ts";
import { resolveArm } from "../model/arms.ts";
import type { ArmSource } from "./arm-source.ts";
import { findingsOf } from "./findings.ts";
import { refuseRemote } from "./incognito.ts";
import type { Program } from "./program.ts";
import { routerOf } from "./routing/choose.ts";
import { routedBy } from "./routing/words.ts";

export function armSource(program: Program): ArmSource {
  const known = new Map<string, Promise<Arm>>();
  const resolve = async (name: string): Promise<Arm> => {
    const arm = refuseRemote(
      program,
      await resolveArm(name || undefined, program.config().settings, program.env, findingsOf(program)),
    );
    const file = program.flags.record;
    if (!file) return arm;
    const [{ recordProvider }, { createFirewall }, { firewallKey }] = await Promise.all([
      import("../model/recorder.ts"),
      import("../guard/firewall/firewall.ts"),
      import("./keys.ts"),
    ]);
    const firewall = createFirewall(firewallKey(program.places));
    return { ...arm, provider: recordProvider(arm.provider, file, (text) => firewall.redact(text).text) };
  };
  const source: ArmSource = (name) => {
    const by = routedBy(name, program.config().settings);
    if (by) return routerOf(program, source).then((router) => router.expected(by));
    const found = known.get(name) ?? resolve(name);
    known.set(name, found);
    // A failed resolution (server not up yet) may succeed when the person tries again.
    found.catch(() => known.delete(name));
    return found;
  };
  return source;
}
