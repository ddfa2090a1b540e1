// Bad conditions for the real program, and what must hold afterwards: a sentence, no trace, nothing lost.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Session } from "../../src/engine/session/session.ts";
import { openTurn } from "../../src/engine/session/state.ts";
import { ledgerHead, verifyLedger } from "../../src/guard/ledger/ledger.ts";
import { knownPublicKey } from "../../src/io/journal/key.ts";
import { openStore } from "../../src/io/store/store.ts";
import { buildOnce, projectRoot } from "../support/program.ts";
import type { Scene } from "../scenarios/scene.ts";

const bind = spawnSync("bwrap", ["--dev-bind", "/", "/", "--tmpfs", "/mnt", "true"], { encoding: "utf8" });
/** Why nothing can be mounted here; undefined when it can. */
export const cannotMount: string | undefined =
  bind.status === 0 ? undefined : `mounting needs bubblewrap: ${bind.error?.message ?? bind.stderr.trim()}`;

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const environment = (scene: Scene): Record<string, string> => ({
  ...scene.home.env,
  OPENAI_BASE_URL: `${scene.server.url}/v1`,
  OPENAI_API_KEY: "k",
  OPENAI_MODEL: "scripted",
});

/** Runs a shell script ($F is fettle) where the given mounts hold, in the scene's folder. */
export async function mounted(scene: Scene, mounts: readonly string[], script: string): Promise<Said> {
  await buildOnce();
  const child = spawn(
    "bwrap",
    ["--dev-bind", "/", "/", ...mounts, "--die-with-parent", "--chdir", scene.folder, "/bin/sh", "-c", script],
    {
      env: { ...environment(scene), F: path.join(projectRoot, "bin", "fettle") },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
      killSignal: "SIGKILL",
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Mounts that make a program of the system one that cannot be started. */
export function without(scene: Scene, ...programs: string[]): string[] {
  const nothing = path.join(scene.home.folder, "nothing");
  writeFileSync(nothing, "", { mode: 0o644 });
  return programs.flatMap((program) => ["--ro-bind", nothing, program]);
}

export const readOnly = (folder: string): string[] => ["--ro-bind", folder, folder];
export const small = (bytes: number, folder: string): string[] => ["--size", String(bytes), "--tmpfs", folder];

/** What no output may hold: the trace of an error, or fettle's own word for a bug. */
export function expectNoTrace(...said: { stdout: string; stderr: string }[]): void {
  for (const { stdout, stderr } of said) {
    expect(stdout + stderr).not.toMatch(/\n\s+at .+:\d+|file:\/\/|This should not have happened|node:internal/);
  }
}

/** fettle's one sentence (and its remedy): how a run that could not begin ends. */
export function expectRefused({ code, stdout, stderr }: Said, exit: number, sentence: RegExp): void {
  expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/^fettle: [^\n]+[.?)](\n[^\n]+)?\n$/);
  expectNoTrace({ stdout, stderr });
}

/** The ledger is whole and signed to its end, and every session can be folded from its facts. */
export async function expectNothingLost(scene: Scene, sessions = 1): Promise<void> {
  const state = scene.state();
  const store = openStore(path.join(state, "state.db"));
  try {
    const publicKey = knownPublicKey(path.join(scene.home.folder, ".local/state/fettle")) ?? "none";
    const head = ledgerHead(store) ?? { seq: 0, hash: "" };
    const report = await verifyLedger(path.join(state, "ledger"), { publicKey, head });
    expect(report).toMatchObject({ ok: true, signature: "verified", entries: head.seq });
    const rows = store.sessions(100);
    expect(rows).toHaveLength(sessions);
    for (const { id } of rows) expect(openTurn(Session.open(id, store).state)).toBeUndefined();
  } finally {
    store.close();
  }
}
