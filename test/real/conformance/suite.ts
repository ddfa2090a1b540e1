// The official conformance suite, from its pinned package, and what it says of fettle.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../../support/program.ts";
import { serveFettle } from "./server.ts";

const revisions = ["2025-11-25", "2026-07-28"] as const;
type Revision = (typeof revisions)[number];
type Leg = "client" | "server";

interface Pair {
  revision: Revision;
  leg: Leg;
  scenario: string;
  /** Absent: the revision requires it. Else why it does not count. */
  unscored?: string;
}

interface Verdict {
  passed: boolean;
  /** Checks that count. */
  good: number;
  all: number;
  /** The first words of each check that failed or warned. */
  problems: string[];
  output: string;
}

const folder = path.join(projectRoot, "node_modules/@modelcontextprotocol/conformance");
const program = path.join(folder, "dist/index.js");

interface Requirements {
  server: string[];
  client: string[];
  not_scored: { scenario: string; leg: Leg; reason: string }[];
}

/** What a revision requires, and what it runs besides, as the package says. */
function pairsOf(revision: Revision): Pair[] {
  const text = readFileSync(path.join(folder, "requirements", `${revision}.yaml`), "utf8");
  const { server, client, not_scored: rest } = parse(text) as Requirements;
  return [
    ...client.map((scenario): Pair => ({ revision, leg: "client", scenario })),
    ...server.map((scenario): Pair => ({ revision, leg: "server", scenario })),
    ...rest.map(({ scenario, leg, reason }): Pair => ({ revision, leg, scenario, unscored: reason })),
  ];
}

/** All that there is: what a revision requires, and what it scores nobody by. */
export const ownPairs = (): Pair[] => revisions.flatMap(pairsOf);

const clientCommand = `${process.execPath} ${path.join(projectRoot, "test/real/conformance/client.ts")}`;

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  description?: string;
  errorMessage?: string;
}

/** The suite's own verdict is its exit code; the checks are read for what is told of it. */
export async function judge(pair: Pair): Promise<Verdict> {
  if (pair.leg === "client") return judged(pair, ["--command", clientCommand]);
  await using fettle = await serveFettle();
  return await judged(pair, ["--url", fettle.url]);
}

async function judged({ revision, leg, scenario, unscored }: Pair, under: readonly string[]): Promise<Verdict> {
  const results = mkdtempSync(path.join(os.tmpdir(), "fettle-conformance-"));
  try {
    const args = [
      ...[leg, ...under, "--scenario", scenario, "--spec-version", revision],
      ...["--timeout", "60000", "--expected-failures", path.join(import.meta.dirname, "expected-failures.yml")],
    ];
    const { code, output } = await run([...args, ...(unscored ? ["--force"] : []), "-o", results]);
    const checks = checksIn(results).filter(({ status }) => status !== "INFO" && status !== "SKIPPED");
    const bad = checks.filter(({ status }) => status !== "SUCCESS");
    return {
      // A scenario that was skipped has shown nothing.
      passed: code === 0 && checks.length > 0,
      good: checks.length - bad.length,
      all: checks.length,
      problems: bad.map((each) =>
        `${each.status} ${each.id}: ${each.errorMessage ?? each.description ?? ""}`.slice(0, 300),
      ),
      output,
    };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function checksIn(results: string): Check[] {
  const files = readdirSync(results, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  return files.flatMap((name) => JSON.parse(readFileSync(path.join(results, name), "utf8")) as Check[]);
}

function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: os.tmpdir(), timeout: 120_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    );
  });
}
