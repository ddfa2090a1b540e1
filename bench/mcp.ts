// What MCP servers cost: ten that are set up and not needed, in a whole run's time to its first request, and a call of one.
import { standInCommand } from "../test/scenarios/mcp-servers.ts";
import { byResults, call, configure, makeScene, type Scene, those } from "../test/scenarios/scene.ts";

const rounds = 20;
const calls = 60;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const servers = (scene: Scene, count: number): string =>
  Array.from({ length: count }, (_none, at) => {
    const { command, args } = standInCommand(scene, { tools: [{ name: "look", description: "Look.", says: "seen" }] });
    return `[mcp.servers.box${at}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\ntools = { look = "read" }\n`;
  }).join("");

/** Interleaved, since the machine is noisy. */
async function firstRequests(): Promise<{ none: number; ten: number }> {
  await using none = await makeScene(() => "Done.");
  await using ten = await makeScene(() => "Done.");
  configure(ten, servers(ten, 10));
  const times = { none: [] as number[], ten: [] as number[] };
  for (let round = -2; round < rounds; round += 1)
    for (const [name, scene] of Object.entries({ none, ten })) {
      const begun = Date.now();
      await scene.run(["-p", "go"]);
      const at = scene.server.requests.at(-1)?.at ?? Number.NaN;
      if (round >= 0) times[name as keyof typeof times].push(at - begun);
    }
  return { none: median(times.none), ten: median(times.ten) };
}

/** The server answers at once. One call after the other, in turn with a file that fettle reads itself through the same gate. */
async function stdioCalls(): Promise<{ mcp: number; read: number }> {
  const one = (at: number) =>
    at % 2 === 0
      ? call("mcp", { tool: "box0__look", arguments: {} }, `mcp-${at}`)
      : call("read", { path: "a.txt" }, `read-${at}`);
  const steps = Array.from({ length: calls }, (_none, at) => one(at));
  const script = byResults(call("find_tools", { server: "box0" }, "f"), ...steps, "Done.");
  await using scene = await makeScene(script, { files: { "a.txt": "alpha\n" } });
  configure(scene, servers(scene, 1));
  const ended = those((await scene.tell(["go"])).events, "call.ended");
  const of = (kind: string) => median(ended.flatMap(({ call: id, ms: took }) => (id.startsWith(kind) ? [took] : [])));
  return { mcp: of("mcp-"), read: of("read-") };
}

export async function mcpBench(): Promise<string> {
  const { none, ten } = await firstRequests();
  const { mcp, read } = await stdioCalls();
  return [
    "MCP servers",
    `  to the first request without a server         ${ms(none)}`,
    `  with ten that are set up                       ${ms(ten)}   (${(ten - none).toFixed(1)} ms more; at most 5)`,
    `  a call over stdio, gate and ledger included    ${ms(mcp)}`,
    `  reading a file, gate and ledger included       ${ms(read)}   (${(mcp - read).toFixed(1)} ms more over stdio; at most 2)`,
  ].join("\n");
}
