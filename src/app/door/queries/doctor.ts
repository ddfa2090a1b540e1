// Is everything in place? Each finding in one sentence, each problem with what to do about it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { isA, withFallback } from "../../../base/fallback.ts";
import { Fault } from "../../../base/fault.ts";
import type { Config } from "../../../io/config/load.ts";
import { findGroups, noGroups } from "../../../io/process/cgroup.ts";
import { resourceLimits } from "../../program/limits.ts";
import { statsOf } from "../../../io/files/regular.ts";
import { ripgrepPath } from "../../../io/files/ripgrep.ts";
import { gitProgram, runGit } from "../../../io/git/git.ts";
import { removeSecret, writeKeychain } from "../../../io/places/keychain.ts";
import { type Places, type ProjectPlaces, unwritablePlace } from "../../../io/places/places.ts";
import type { Sandbox } from "../../../io/sandbox/sandbox.ts";
import type { ModelRow } from "../../../protocol/models.ts";
import type { AuditReport, Check } from "../../../protocol/query.ts";

export interface DoctorContext {
  /** May throw a Fault: a broken configuration is a finding. */
  config(): Config;
  places: Places;
  project: ProjectPlaces;
  /** Folder of package.json. */
  installation: string;
  /** Version of the runtime, `24.21.0`. */
  node: string;
  sandbox(): Pick<Sandbox, "name" | "detail" | "remedy" | "experimental">;
  layers(): { layers: unknown } | { why: string };
  models(): Promise<ModelRow[]>;
  verifyLedger(): Promise<AuditReport>;
  /** What there is to say of hooks; nothing when there are none, or the configuration is broken. */
  hooks?(): Promise<Finding[]>;
}

type Finding = Omit<Check, "name">;

const ok = (detail: string): Finding => ({ status: "ok", detail });
const warning = (detail: string, remedy: string): Finding => ({ status: "warning", detail, remedy });
const broken = (detail: string, remedy: string): Finding => ({ status: "error", detail, remedy });

const checks: readonly [string, (context: DoctorContext) => Promise<Finding> | Finding][] = [
  ["node", checkNode],
  ["git", checkGit],
  ["sandbox", checkSandbox],
  ["layers", checkLayers],
  ["limits", checkLimits],
  ["ripgrep", checkRipgrep],
  ["configuration", checkConfiguration],
  ["models", checkModels],
  ["keychain", checkKeychain],
  ["state folder", checkState],
  ["ledger", checkLedger],
];

/** In a fixed order; what a check runs into becomes its finding. */
export async function doctor(context: DoctorContext): Promise<Check[]> {
  const found = await Promise.all(
    checks.map(async ([name, check]): Promise<Check[]> => {
      try {
        return [{ name, ...(await check(context)) }];
      } catch (error) {
        // It is told once, where it belongs.
        if (name !== "configuration" && isConfigProblem(error, context))
          return [
            { name, ...warning("Not known while the configuration is broken.", "Mend the configuration first.") },
          ];
        const remedy = error instanceof Fault ? error.remedy : undefined;
        const detail = error instanceof Error ? error.message : String(error);
        return [{ name, status: "error", detail, ...(remedy && { remedy }) }];
      }
    }),
  );
  const hooks = soundConfig(context) && (await context.hooks?.());
  return [...found.flat(), ...(hooks ?? []).map((each) => ({ name: "hooks", ...each })), ...noticesOf(context)];
}

function isConfigProblem(error: unknown, context: DoctorContext): boolean {
  try {
    context.config();
    return false;
  } catch (problem) {
    return problem instanceof Fault && error instanceof Fault && problem.message === error.message;
  }
}

/** Undefined when it is broken, which its own check says. */
const soundConfig = (context: DoctorContext): Config | undefined =>
  withFallback(undefined, isA(Fault), () => context.config());

const noticesOf = (context: DoctorContext): Check[] =>
  (soundConfig(context)?.notices ?? []).map((detail) => ({ name: "configuration", status: "warning", detail }));

function checkNode({ node, installation }: DoctorContext): Finding {
  const { fettleRuntime } = JSON.parse(readFileSync(path.join(installation, "package.json"), "utf8")) as {
    fettleRuntime: string;
  };
  const needed = fettleRuntime.replace(/[^\d.]/g, "");
  if (!older(node, needed)) return ok(`Node ${node}`);
  return broken(`Node ${node} is older than ${needed}.`, `Run npm ci in ${installation}.`);
}

function older(left: string, right: string): boolean {
  const [a, b] = [left, right].map((version) => version.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

async function checkGit({ installation }: DoctorContext): Promise<Finding> {
  const remedy =
    "Install it: apt-get install git. Until then there are no checkpoints, and only what fettle itself wrote can be taken back.";
  if (gitProgram() === undefined) return warning("git is not installed.", remedy);
  const { code, out, err } = await runGit(["--version"], { cwd: installation });
  return code === 0 ? ok(out.toString().trim()) : warning(`git does not work here: ${err.trim()}`, remedy);
}

function checkSandbox(context: DoctorContext): Finding {
  const { name, detail, remedy, experimental } = context.sandbox();
  if (experimental) {
    return warning(
      `${name} (${detail}); experimental: never tried on a Mac by its makers.`,
      "Look at what runs, or run fettle in a Linux container.",
    );
  }
  if (name !== "none") return ok(`${name} (${detail})`);
  const meaning = "commands run with your own rights, and every one is judged a level higher";
  return warning(`No kernel sandbox: ${detail}; ${meaning}.`, remedy ?? "Install it: apt-get install bubblewrap.");
}

function checkLayers(context: DoctorContext): Finding {
  const found = context.layers();
  if ("layers" in found) return ok("Commands write to copy-on-write layers; fettle looks at what they wrote.");
  const meaning = "commands write to the workspace itself, and what is not known beforehand is asked about";
  return warning(
    `No layers: ${found.why}; ${meaning}.`,
    "Run fettle on Linux 5.11 or newer, with its state on a local disk.",
  );
}

/** Which limits hold for a command, and who keeps them. */
function checkLimits(context: DoctorContext): Finding {
  const config = soundConfig(context);
  if (!config) return warning("Not known while the configuration is broken.", "Mend the configuration first.");
  const limits = resourceLimits(config.settings);
  const groups = findGroups(limits.cgroup);
  const keeper = groups
    ? `kept by the kernel (control groups, version ${groups.version})`
    : `watched by fettle, every 0.2 s${limits.cgroup === "auto" ? ` (${noGroups()})` : ""}`;
  const files = limits.fileMb > 0 ? `files up to ${limits.fileMb} MB` : "files of any size";
  return ok(
    `${limits.memoryMb} MB of memory, ${limits.processes} processes and threads, ${keeper}; ` +
      `${files}; ${limits.freeDiskMb} MB of disk stay free`,
  );
}

function checkRipgrep(): Finding {
  const found = ripgrepPath();
  if (found) return ok(found);
  return warning(
    "ripgrep is missing; fettle searches by itself, with the same results, more slowly.",
    "Run apt-get install ripgrep, or install fettle with its optional packages.",
  );
}

function checkConfiguration(context: DoctorContext): Finding {
  const files = context.config().paths.filter((file) => file.exists);
  return ok(files.length === 0 ? "no files, the defaults hold" : files.map((file) => file.path).join(", "));
}

async function checkModels(context: DoctorContext): Promise<Finding> {
  const rows = await context.models();
  const ready = rows.filter((row) => row.status === "ready");
  const chosen = rows.find((row) => row.default);
  if (chosen && chosen.status !== "ready") {
    return broken(`${chosen.model}: ${chosen.detail}.`, chosen.remedy ?? "`fettle models` tells more.");
  }
  if (ready.length > 0) return ok(`${chosen ? `${chosen.model}; ` : ""}${ready.length} ready`);
  return broken(
    "No model can be used.",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, run `fettle login PROVIDER`, or start Ollama.",
  );
}

const probe = "doctor:probe";

async function checkKeychain({ places }: DoctorContext): Promise<Finding> {
  if (writeKeychain(probe, "probe")) {
    await removeSecret(probe);
    return ok("the keychain of this machine");
  }
  const file = path.join(places.config, "credentials.json");
  const kept = statsOf(file);
  if (kept) return ok(`no keychain; keys are kept in ${file} (mode 0${(kept.mode & 0o777).toString(8)})`);
  return ok("none; keys come from the environment, or after asking from a file that only you can read");
}

function checkState({ places, project }: DoctorContext): Finding {
  for (const folder of [places.state, project.root]) {
    const found = statsOf(folder);
    if (!found) continue;
    if (!found.isDirectory()) return broken(`${folder} is not a folder.`, `Move it away: mv ${folder} ${folder}.old`);
    if ((found.mode & 0o077) !== 0) return warning(`${folder} can be read by others.`, `chmod 700 ${folder}`);
  }
  const unwritable = unwritablePlace(project.root);
  if (unwritable) return broken(`${unwritable}.`, "Give yourself write access, or set XDG_STATE_HOME.");
  return ok(project.root);
}

async function checkLedger(context: DoctorContext): Promise<Finding> {
  const report = await context.verifyLedger();
  if (!report.ok) return broken(report.problem ?? "The ledger does not verify.", "`fettle audit verify` tells more.");
  return ok(report.entries === 0 ? "empty" : `${report.entries} entries verified, head ${report.head.slice(0, 12)}`);
}
