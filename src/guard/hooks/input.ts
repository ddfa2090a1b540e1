// What a hook reads on standard input: fettle's words and Claude Code's in one object.
import type { HookEvent, HookSettings } from "../../io/config/setting-kinds.ts";
import type { GateCall } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { Json } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";
import type { View } from "./names.ts";

export type Moment =
  | { call: GateCall; view: View; assessment: Assessment; result?: Result }
  | { more: { [key: string]: Json } };

export interface HookSession {
  session: string;
  cwd: string;
  workspace: string;
}

const claudeEvents: Readonly<Record<HookEvent, string>> = {
  session_start: "SessionStart",
  session_end: "SessionEnd",
  before_tool: "PreToolUse",
  after_tool: "PostToolUse",
  before_compaction: "PreCompact",
  stop: "Stop",
  user_prompt: "UserPromptSubmit",
  after_compaction: "PostCompact",
  permission_asked: "PermissionRequest",
  notification: "Notification",
  subagent_start: "SubagentStart",
  subagent_end: "SubagentStop",
  task_state: "TaskState",
  file_changed: "FileChanged",
  status: "Status",
};

export function inputOf(hook: HookSettings, moment: Moment, { session, cwd, workspace }: HookSession): Json {
  const about = {
    event: hook.event,
    hook_event_name: claudeEvents[hook.event],
    hook: hook.name,
    session,
    session_id: session,
    transcript_path: "",
    permission_mode: "default",
    cwd,
    workspace,
  };
  if ("more" in moment) return { ...about, ...moment.more };
  const { call, view, assessment, result } = moment;
  return {
    ...about,
    call: call.id,
    tool_use_id: call.id,
    origin: call.origin,
    tool: call.tool,
    tool_name: view.toolName,
    tool_input: view.input,
    risk: assessment.risk,
    effects: assessment.effects.map(({ kind, target, part, undo }) => ({
      ...{ kind, target, undo },
      ...(part !== undefined && { part }),
    })),
    ...(result && { tool_response: response(hook, result) }),
  };
}

/** As the model reads it, without secrets. */
function response(hook: HookSettings, { status, code, parts }: Result): Json {
  const text = parts.map((part) => (part.type === "text" ? part.text : `[image ${part.mime}]`)).join("\n");
  const own = { status, ...(code !== undefined && { code }), text };
  return hook.dialect === "claude"
    ? { ...own, stdout: text, stderr: "", interrupted: false, success: status === "done" }
    : own;
}
