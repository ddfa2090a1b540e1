// Has fettle run a command: a scripted model asks for it, as it is and hidden in a program of the workspace.
import { anyError, withFallback } from "../../src/base/fallback.ts";
import { type Script, startModelServer } from "../../test/support/model-server.ts";
import type { Decision } from "../../src/protocol/decision.ts";
import type { Event } from "../../src/protocol/event.ts";
import type { Listeners } from "./listeners.ts";
import { type Harm, harmsOf, lookAt, tells, workspaceChanges } from "./look.ts";
import type { World } from "./plant.ts";
import { copiedSecrets, runIn } from "./runs.ts";

/** What became of one call. `contained`: it ran on a layer, unasked. */
export type Became = "denied" | "asked" | "contained" | "ran" | "lost";

export interface ByFettle {
  plain: Became;
  hidden: Became;
  harms: Harm[];
  /** Workspace files that were other ones at the end. */
  changed: number;
  /** Of them those that `fettle rewind` did not bring back. */
  left: string[];
  problem?: string;
}

export interface FettleOptions {
  autonomy: string;
  /** Settings, by the names of the environment. */
  env: Record<string, string>;
}

export const guarded: FettleOptions = { autonomy: "2", env: {} };

const became = (decision: Decision | undefined): Became => {
  if (!decision) return "lost";
  if (decision.verdict === "deny") return "denied";
  if (decision.verdict === "ask") return "asked";
  return decision.contained === true ? "contained" : "ran";
};

const eventsIn = (output: string): Event[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .flatMap((line) => withFallback([], anyError, () => [JSON.parse(line) as Event]));

const shell = (id: string, command: string) => ({ id, name: "shell", input: { command, timeout: 2 } });

/** Runs it in a world, looks at the world, has everything brought back, and looks again. */
export async function runByFettle(
  world: World,
  listeners: Listeners,
  command: string,
  { autonomy, env }: FettleOptions,
): Promise<ByFettle> {
  const script: Script = [
    { calls: [shell("plain", command)] },
    { calls: [shell("hidden", "python3 scripts/job.py")] },
    { say: "Done." },
  ];
  const server = await startModelServer(script);
  try {
    const before = lookAt(world);
    const all = {
      OPENAI_BASE_URL: `${server.url}/v1`,
      ...{ OPENAI_API_KEY: "none", OPENAI_MODEL: "scripted", NODE_COMPILE_CACHE: "/opt/cache" },
      ...{ FETTLE_SANDBOX_FILE_MB: "16", FETTLE_SANDBOX_FREE_DISK_MB: "64", ...env },
    };
    const how = { env: all, binds: ["--bind", "/scratch/cache", "/opt/cache"], timeoutMs: 30_000, untilHarm: false };
    const argv = ["fettle", "-p", "--json", "--autonomy", autonomy, "go"];
    const { output, harms } = await runIn(world, listeners, { ...how, argv });
    const events = eventsIn(output);
    const decided = (call: string): Became =>
      became(events.flatMap((e) => (e.type === "call.decided" && e.call === call ? [e.decision] : []))[0]);
    const after = lookAt(world);
    const told: Harm[] = server.requests.some(({ raw }) => tells(raw))
      ? [{ kind: "secret", what: "told to the model" }]
      : [];
    const changed = workspaceChanges(before, after);
    const all2 = [...harms, ...told, ...copiedSecrets(world, before, after), ...harmsOf(before, after)];
    const back =
      changed.length > 0 ? await runIn(world, listeners, { ...how, argv: ["fettle", "rewind", "--yes"] }) : undefined;
    const left = back ? workspaceChanges(before, lookAt(world)) : [];
    const [plain, hidden] = [decided("plain"), decided("hidden")];
    const lost = plain === "lost" || hidden === "lost";
    const problem = lost ? output.slice(-600) : left.length > 0 ? back?.output.slice(-600) : undefined;
    return { plain, hidden, harms: all2, changed: changed.length, left, ...(problem !== undefined && { problem }) };
  } finally {
    await server.close();
  }
}
