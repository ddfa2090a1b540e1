// What a model is told: a prefix that never changes within a folder, then the conversation.
import type { Message } from "../protocol/message.ts";
import type { ModelRequest, ToolSpec } from "../protocol/request.ts";
import systemText from "./system.md";

/** Byte-identical from round to round and from session to session in a folder, so that prompt caches hold. */
export interface Prefix {
  system: string;
  tools: ToolSpec[];
}

export interface Surroundings {
  workspace: string;
  platform: string;
  /** Texts of AGENTS.md and its kin, root first, each with its path. */
  instructions: { path: string; text: string }[];
  /** What this conversation is for, within a task. */
  mission?: string;
}

/** How every system prompt begins. */
export const ownSystem = systemText.trim();

export function buildPrefix(around: Surroundings, tools: ToolSpec[]): Prefix {
  const blocks = [ownSystem, `Workspace: ${around.workspace} (${around.platform})`];
  for (const { path, text } of around.instructions) {
    blocks.push(`Instructions of this project, from ${path}:\n${text.trim()}`);
  }
  if (around.mission !== undefined) blocks.push(around.mission.trim());
  return { system: `${blocks.join("\n\n")}\n`, tools };
}

export function buildRequest(
  prefix: Prefix,
  messages: readonly Message[],
  model: { model: string; maxOutputTokens: number; temperature?: number },
): ModelRequest {
  return { ...model, system: prefix.system, tools: prefix.tools, messages: [...messages] };
}
