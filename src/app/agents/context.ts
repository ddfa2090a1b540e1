// What keeps the conversations of a program within a model's window, as configured.
import type { AgentParts } from "../../engine/agent.ts";
import type { Prefix } from "../../engine/context/prefix.ts";
import type { KeeperParts } from "../../engine/context/room.ts";
import type { ContextSettings } from "../../engine/context/window.ts";
import type { Settings } from "../../io/config/settings.ts";
import type { ArmSource } from "../models/cards/arm-source.ts";
import type { SessionHooks } from "../session/hooks.ts";
import type { Sources, SourcesParts } from "../session/sources.ts";

/** A prefix with the workspace's sources behind it, where those are wanted; loaded only then. */
export function withSources(
  plain: () => Promise<Prefix>,
  parts: SourcesParts,
): Pick<AgentParts, "prefix"> & Pick<Partial<AgentParts>, "news"> {
  if (parts.settings.whole_codebase === "never") return { prefix: plain };
  let loading: Promise<Sources> | undefined;
  const sources = () => (loading ??= import("../session/sources.ts").then(({ Sources }) => new Sources(parts)));
  const whole = async (): Promise<Prefix> => {
    const message = await (await sources()).message();
    return { ...(await plain()), ...(message && { sources: message }) };
  };
  let prefix: Promise<Prefix> | undefined;
  return { prefix: () => (prefix ??= whole()), news: async () => (await sources()).news() };
}

export const contextSettings = ({ context }: Settings): ContextSettings => ({
  recentResults: context.recent_result_tokens,
  restored: context.restored_tokens,
  tellModel: context.tell_model,
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
