import type { Arm } from "../../model/contract/arm.ts";
import { resolveArm } from "../../model/arms.ts";
import type { ArmSource } from "./cards/arm-source.ts";
import type { Finding } from "../../model/contract/card.ts";
import { findingOf, keepLookedUp } from "../../model/registry/findings.ts";
import { listedFinding, worthLookingUp } from "../../model/registry/listed.ts";
import { findingsFile, findingsOf } from "./cards/findings.ts";
import { refuseRemote } from "../program/incognito.ts";
import type { Program } from "../program/program.ts";
import { routerOf } from "./routing/choose.ts";
import { routedBy } from "./routing/choice/words.ts";

/** A server that says less than this is not believed unasked: no work could be done in it. */
const leastWindow = 4_096;

/** What its server lists of it is read where nobody has set it, and our own list does not have it. */
async function lookedUp(program: Program, name: string): Promise<Arm> {
  const { settings } = program.config();
  const findings = findingsOf(program);
  const arm = refuseRemote(program, await resolveArm(name || undefined, settings, program.env, findings));
  const type = settings.providers[arm.provider.name]?.type ?? arm.provider.name;
  if (!worthLookingUp(arm, type, findingOf(arm.name, findings), Date.now())) return arm;
  const patienceMs = arm.provider.local ? 500 : 2_000;
  const offered = await arm.provider.models(AbortSignal.timeout(patienceMs)).catch(() => undefined);
  if (!offered) return arm;
  const { contextTokens, ...rest } = listedFinding(arm.model, offered, Date.now());
  const found: Finding = { ...rest, ...(contextTokens && contextTokens >= leastWindow && { contextTokens }) };
  const empty = Object.keys(found).length === 1;
  if (!program.incognito && !(empty && arm.provider.local)) keepLookedUp(findingsFile(program), { [arm.name]: found });
  if (empty) return arm;
  const known = { ...findings[arm.name], ...found };
  return resolveArm(arm.name, settings, program.env, { ...findings, [arm.name]: known });
}

export function armSource(program: Program): ArmSource {
  const known = new Map<string, Promise<Arm>>();
  const resolve = async (name: string): Promise<Arm> => {
    const arm = await lookedUp(program, name);
    const file = program.flags.record;
    if (!file) return arm;
    const [{ recordProvider }, { createFirewall }, { firewallKey }] = await Promise.all([
      import("../../model/recording/recorder.ts"),
      import("../../guard/firewall/firewall.ts"),
      import("../program/keys.ts"),
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
