// Settings in the units that engine and fence count in.
import type { Settings } from "../io/config/settings.ts";
import { machineMemoryMb, type ResourceLimits } from "../io/process/limits.ts";
import { limitOf } from "./money.ts";

export function fenceLimits(settings: Settings) {
  const seconds = settings.tools.timeout_secs;
  const half = Math.floor(settings.tools.output_bytes / 2);
  return {
    timeoutMs: {
      image: seconds.image * 1000,
      build: seconds.build * 1000,
      install: seconds.install * 1000,
      test: seconds.test * 1000,
      migration: seconds.migration * 1000,
      other: seconds.other * 1000,
    },
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

export function agentLimits(settings: Settings) {
  const { limits, model, budget } = settings;
  return {
    progress: {
      rounds: limits.rounds,
      noProgressRounds: limits.no_progress_rounds,
      failingRounds: limits.failing_rounds,
      denials: limits.denials,
      repeatHint: limits.repeat_hint,
      repeatStop: limits.repeat_stop,
    },
    budget: { session: limitOf(budget.session_limit_usd), month: limitOf(budget.monthly_limit_usd) },
    maxOutputTokens: model.max_output_tokens,
    temperature: model.temperature,
    // A longer timer would fire at once.
    turnMs: Math.min(limits.turn_minutes * 60_000, 2 ** 31 - 1),
  };
}
