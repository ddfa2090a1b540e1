// What a server is told of the agent that it is passed on to. Only the protocol's own words are said, so that nothing of the
// agent's or of its person's goes to the server where the gate does not look.
import type { LoggingLevel } from "@modelcontextprotocol/client";
import type { Json } from "../../protocol/message.ts";

/** The parts of each ability that the protocol knows. */
const parts: Readonly<Record<string, readonly string[]>> = {
  elicitation: ["form", "url"],
  sampling: ["tools", "context"],
  roots: [],
};

const levels: ReadonlySet<string> = new Set<LoggingLevel>([
  ...(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const),
]);

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names alone: what stands under them is the agent's own. */
export function knownAbilities(can: Json): { [name: string]: { [part: string]: object } } {
  const said = Object.entries(parts).flatMap(([ability, names]) => {
    const given = isObject(can) && Object.hasOwn(can, ability) ? can[ability] : undefined;
    if (!isObject(given)) return [];
    const named = names.filter((name) => Object.hasOwn(given, name) && isObject(given[name]));
    return [[ability, Object.fromEntries(named.map((name) => [name, {}]))] as const];
  });
  return Object.fromEntries(said);
}

export const knownLevel = (level: string | undefined): string | undefined =>
  level !== undefined && levels.has(level) ? level : undefined;
