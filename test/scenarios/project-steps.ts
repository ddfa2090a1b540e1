// A step of a project that runs, and the people who answer it from elsewhere.
import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalRow } from "../../src/protocol/query.ts";
import type { Started } from "../support/program.ts";
import { begun, type Scene } from "./scene.ts";

/** Approves whatever the run asks for, until it ends; answers what was asked, in order. */
export async function approving(scene: Scene, run: Started): Promise<ApprovalRow[]> {
  const seen = new Map<string, ApprovalRow>();
  let over = false;
  void run.exited.then(() => (over = true));
  while (!over) {
    const open = begun(scene) ? (await scene.read("approvals.list", {})).filter(({ state }) => state === "open") : [];
    for (const row of open) {
      if (seen.has(row.request.nonce)) continue;
      seen.set(row.request.nonce, row);
      await scene.run(["approve", row.request.nonce]);
    }
    await sleep(50);
  }
  return [...seen.values()];
}
