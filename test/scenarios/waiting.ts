// A run that waits for an approval, and the terminal that answers it.
import { setTimeout as sleep } from "node:timers/promises";
import { type ApprovalRow } from "../../src/protocol/query.ts";
import { type Started } from "../support/program.ts";
import { begun, byResults, makeScene, type Scene, shell } from "./scene.ts";

export const files = { "a.txt": "x\n" };

const remove = byResults(shell("rm a.txt"), "ok");

export const open = (more: { env?: Record<string, string> } = {}) => makeScene(remove, { git: true, files, ...more });

export const rows = async (scene: Scene, ...more: string[]): Promise<ApprovalRow[]> =>
  JSON.parse((await scene.run(["approvals", "--json", ...more])).stdout) as ApprovalRow[];

/** Starts a run that waits; answers its open request. */
export async function waiting(
  scene: Scene,
  ...more: string[]
): Promise<{ run: Started; id: string; row: ApprovalRow }> {
  const run = await scene.start(["-p", "--json", "--wait-approvals=60", ...more, "remove it"]);
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    const asked = begun(scene) && (await scene.read("approvals.list", {})).some(({ state }) => state === "open");
    const row = asked ? (await rows(scene)).find(({ state }) => state === "open") : undefined;
    if (row) return { run, row, id: row.request.nonce };
    await sleep(50);
  }
  run.signal("SIGKILL");
  throw new Error(`nothing was asked: ${run.stderr()}`);
}

export async function setUp(scene: Scene, ...commands: string[][]): Promise<void> {
  for (const words of commands) {
    const { code, stderr } = await scene.run(words);
    if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  }
}
