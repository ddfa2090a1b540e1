// Rewinding a session that another process works on is refused, before anything is copied.
import { expect, test } from "vitest";
import { refuseUsedSession } from "../../src/app/record/sessions.ts";
import { openProgram } from "../../src/app/program/program.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { bootId } from "../../src/io/store/lease.ts";

test("a session in use is not rewound from outside, one that is free is", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-rewind-"));
  const other = spawn("sleep", ["30"], { stdio: "ignore" });
  try {
    const env = { HOME: folder, PATH: process.env["PATH"] };
    const flags = { cwd: folder, headless: true, session: { kind: "latest" as const } };
    const program = openProgram(flags, env, "0");
    const store = program.store();
    store.createSession({ id: "20260101-aaaaaa", workspace: folder, cwd: folder, at: 1, model: "m" });
    expect(() => refuseUsedSession(program)).not.toThrow();
    store.acquireLease("20260101-aaaaaa", { pid: other.pid ?? 0, bootId: bootId() });
    expect(() => refuseUsedSession(program)).toThrow(`in use by process ${other.pid}`);
    store.close();
  } finally {
    other.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
