import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { LedgerAct } from "../../../src/guard/ledger/ledger.ts";

/** Runs test/io-state/children/NAME.ts with the same node. */
export function startChild(
  name: string,
  args: string[],
): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "../children", `${name}.ts`), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  let problem = "";
  child.stderr.on("data", (chunk) => {
    problem += chunk;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      if (problem) text += `\nstderr: ${problem}`;
      resolve(code);
    });
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, output: () => text, ended };
}

export async function until(condition: () => boolean): Promise<void> {
  const limit = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > limit) throw new Error("the condition did not come true in 20 s");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export const sampleAct: LedgerAct = {
  session: "s-1",
  turn: 1,
  call: "call-1",
  tool: "shell",
  origin: "model",
  argumentsDigest: "a".repeat(64),
  effects: [{ kind: "execute", target: "/usr/bin/ls", part: "ls -la", undo: "reversible" }],
  risk: "L1",
  verdict: "allow",
  rule: "autonomy.2",
  sandboxed: true,
};

export const sampleOutcome = { status: "done", resultDigest: "b".repeat(64), ms: 3 };
