// What keeps the conversations of a program within a model's window, as configured.
import type { KeeperParts } from "../engine/context/room.ts";
import type { ContextSettings } from "../engine/context/window.ts";
import type { Settings } from "../io/config/settings.ts";
import type { ArmSource } from "./arms.ts";
import type { SessionHooks } from "./hooks.ts";

export const contextSettings = ({ context }: Settings): ContextSettings => ({
  recentResults: context.recent_result_tokens,
  restored: context.restored_tokens,
});

export function contextParts(
  settings: Settings,
  { arm, hooks }: { arm: ArmSource; hooks: SessionHooks | undefined },
): Omit<KeeperParts, "session"> {
  const { summary_model: wanted } = settings.context;
  return {
    settings: contextSettings(settings),
    ...(wanted !== undefined && { summaryArm: () => arm(wanted) }),
    ...(hooks && { compacting: (moment, signal) => hooks.compacting(moment, signal) }),
  };
}
