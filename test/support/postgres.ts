// A PostgreSQL server of its own for a test: Debian's, in a temporary folder, on a port of this machine.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const installed = "/usr/lib/postgresql";
const programs = existsSync(installed)
  ? readdirSync(installed)
      .map((version) => path.join(installed, version, "bin"))
      .find((folder) => existsSync(path.join(folder, "initdb")))
  : undefined;

/** Where it is not installed, tests that need it are skipped, and say so. */
export const postgresHere = programs !== undefined;

export interface PostgresServer extends AsyncDisposable {
  port: number;
  /** As the superuser. */
  run(sql: string): string;
}

/** The server refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export async function startPostgres(): Promise<PostgresServer> {
  if (programs === undefined) throw new Error("PostgreSQL is not installed.");
  const folder = mkdtempSync(path.join(tmpdir(), "fettle-postgres-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const env = { PATH: process.env["PATH"], LC_ALL: "C", HOME: folder };
  const data = path.join(folder, "data");
  const passwordFile = path.join(folder, "password");
  writeFileSync(passwordFile, "owner-password\n");
  execFileSync(
    path.join(programs, "initdb"),
    ["--pgdata", data, "--username", "owner", "--auth", "scram-sha-256", "--pwfile", passwordFile, "--no-sync"],
    { ...user, env, cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  );
  const port = await freePort();
  const server = spawn(
    path.join(programs, "postgres"),
    ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"],
    { ...user, env, cwd: folder, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const run = (sql: string): string =>
    execFileSync(
      path.join(programs, "psql"),
      [
        "-X",
        "-q",
        "-A",
        "-t",
        "-v",
        "ON_ERROR_STOP=1",
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-U",
        "owner",
        "-d",
        "postgres",
      ],
      { env: { ...env, PGPASSWORD: "owner-password" }, input: sql, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] },
    ).trim();
  for (let tries = 0; ; tries += 1) {
    try {
      run("SELECT 1");
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
  return {
    ...{ port, run },
    async [Symbol.asyncDispose]() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
  return promise;
}
