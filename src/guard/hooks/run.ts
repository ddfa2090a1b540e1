// What is known of one run of a hook.
import type { HookSettings } from "../../io/config/setting-kinds.ts";

export interface HookRun {
  /** `refused`: the gate did not let it run; `stdout` says why. */
  ended: "exited" | "timeout" | "stopped" | "exceeded" | "unstartable" | "refused";
  code: number | null;
  stdout: string;
  stderr: string;
  /** It printed more than is read. */
  cut: boolean;
  ms: number;
}

/** Why a run is no answer at all; undefined when it ended by itself with an exit code. */
export function failure({ timeout_secs }: HookSettings, { ended, code, stdout, cut }: HookRun): string | undefined {
  switch (ended) {
    case "refused":
      return `it was not run: ${stdout}`;
    case "timeout":
      return `it did not answer within ${timeout_secs} s`;
    case "stopped":
      return "it was stopped";
    case "unstartable":
      return `it could not be started: ${stdout}`;
    case "exceeded":
      return "it used more of the machine than a command may";
    case "exited":
      if (code === null || code > 128) return "it was killed";
      return cut ? "it printed more than is read of an answer" : undefined;
  }
}
