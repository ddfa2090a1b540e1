// Settings in the units that engine and fence count in.
import type { Settings } from "../../io/config/settings.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import type { CommandClass } from "../../protocol/effect.ts";
import type { ClockLimits } from "../../engine/clock.ts";
import { machineMemoryMb, type ResourceLimits } from "../../io/process/limits.ts";

/** Nothing runs longer, whatever is configured or asked for. */
const capMs = 90 * 60_000;
/** What a command may ask for beyond the limit of its class. */
const longestAskedMs = 20 * 60_000;

/** The limit of a command's class; a command may ask for less, and for more up to `longestAskedMs`. */
export const commandMs =
  ({ tools }: Settings) =>
  (command: CommandClass, wanted?: number): number => {
    const usual = tools.timeout_secs[command] * 1000;
    return Math.min(capMs, wanted === undefined ? usual : Math.min(wanted, Math.max(usual, longestAskedMs)));
  };

const stacks: readonly [minutes: number, files: readonly string[]][] = [
  [60, ["Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"]],
  [45, ["Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]],
];

/** What a turn may take by the stack that it works on, in minutes. */
export const stackMinutes = (workspace: string): number =>
  stacks.find(([, files]) => files.some((file) => existsSync(path.join(workspace, file))))?.[0] ?? 30;

/** A number that the person set holds as it is. */
export function clockLimits({ limits }: Settings, workspace: string): ClockLimits {
  const set = limits.turn_minutes * 60_000;
  return set > 0 ? { startMs: set, capMs: set } : { startMs: stackMinutes(workspace) * 60_000, capMs };
}

export function fenceLimits(settings: Settings) {
  const half = Math.floor(settings.tools.output_bytes / 2);
  return {
    commandMs: commandMs(settings),
    head: half,
    tail: half,
    spillBytes: settings.tools.spill_mb * 1024 * 1024,
    resources: resourceLimits(settings),
  };
}

/** What one command may use of the machine. */
export function resourceLimits({ sandbox }: Settings): ResourceLimits {
  return {
    memoryMb: sandbox.memory_mb || Math.max(1, Math.floor(machineMemoryMb() * 0.75)),
    processes: sandbox.processes,
    fileMb: sandbox.file_mb,
    freeDiskMb: sandbox.free_disk_mb,
    cgroup: sandbox.cgroup,
  };
}

export function agentLimits(settings: Settings, workspace: string) {
  const { limits, model } = settings;
  return {
    progress: {
      rounds: limits.rounds,
      noProgressRounds: limits.no_progress_rounds,
      failingRounds: limits.failing_rounds,
      denials: limits.denials,
      repeatHint: limits.repeat_hint,
      repeatStop: limits.repeat_stop,
    },
    temperature: model.temperature,
    effort: (arm: string) =>
      (Object.hasOwn(settings.arms, arm) ? settings.arms[arm]?.effort : undefined) ?? model.effort,
    clock: clockLimits(settings, workspace),
    commandMs: commandMs(settings),
  };
}
