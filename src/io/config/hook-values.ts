// What `[[hooks]]` accepts, by hand like the other values; and what a checked one means.
import { namePattern } from "../../base/name-pattern.ts";
import { type HookEvent, hookEvents, type HookSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";

/** What other agents call the same moments. */
const foreignEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session_start",
  SessionEnd: "session_end",
  PreToolUse: "before_tool",
  BeforeTool: "before_tool",
  PostToolUse: "after_tool",
  AfterTool: "after_tool",
  PreCompact: "before_compaction",
  PreCompress: "before_compaction",
  PostCompact: "after_compaction",
  Stop: "stop",
  AfterAgent: "stop",
  UserPromptSubmit: "user_prompt",
  BeforeAgent: "user_prompt",
  PermissionRequest: "permission_asked",
  Notification: "notification",
  SubagentStart: "subagent_start",
  SubagentStop: "subagent_end",
  FileChanged: "file_changed",
};

export const eventOf = (name: string): HookEvent | undefined =>
  hookEvents.find((event) => event === name) ?? (Object.hasOwn(foreignEvents, name) ? foreignEvents[name] : undefined);

/** Why a hook for something else would never run. */
export const missingEvent = (): string => `fettle has ${hookEvents.join(", ")}`;

export const decidingEvents: readonly HookEvent[] = ["before_tool", "before_compaction", "stop", "user_prompt"];
/** They hear of what has happened; what they answer has no effect. */
export const toldEvents: readonly HookEvent[] = [
  ...(["after_compaction", "permission_asked", "notification", "subagent_start", "subagent_end"] as const),
  ...(["task_state", "file_changed", "status"] as const),
];
/** Its matcher is about tools; that of other moments about what `trigger` says. */
export const matchedEvents: readonly HookEvent[] = ["before_tool", "after_tool", "before_compaction", ...toldEvents];

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && !value.includes("\0");

/** No patterns: a hook reaches what stands there and nothing else. */
export const hostForm = /^[\w-]+(\.[\w-]+)*(:\d{1,5})?$/;

const parts: Readonly<Record<string, { fits(value: unknown): boolean; text: string }>> = {
  name: {
    fits: (value) => typeof value === "string" && /^[\w.-]{1,60}$/.test(value),
    text: "up to 60 letters, digits, dots and dashes",
  },
  event: {
    fits: (value) => typeof value === "string" && eventOf(value) !== undefined,
    text: `one of ${hookEvents.join(", ")}`,
  },
  matcher: {
    fits: (value) => typeof value === "string" && namePattern(value) !== undefined,
    text: "a tool's name, a glob or a regular expression",
  },
  command: { fits: isText, text: "a command line" },
  timeout_secs: {
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 600,
    text: "a whole number from 1 to 600",
  },
  home_read: { fits: (value) => typeof value === "boolean", text: "true or false" },
  hosts: {
    fits: (value) => Array.isArray(value) && value.every((host) => typeof host === "string" && hostForm.test(host)),
    text: "a list of plain host names, with a port if need be",
  },
  deciding: { fits: (value) => typeof value === "boolean", text: "true or false" },
};
const hookKeys = Object.keys(parts);

/** Undefined when it fits; begins with the number of the hook that does not. */
export function hooksProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "must be a list of hooks: write [[hooks]]";
  const names = new Set<string>();
  for (const [at, hook] of value.entries()) {
    const wrong = isTable(hook) ? wrongPart(hook) : "is not a table";
    if (wrong) return `${at + 1} ${wrong}`;
    const { name } = hook as { name?: string };
    if (name !== undefined && names.has(name)) return `${at + 1} has the name ${name}, which another one has`;
    if (name !== undefined) names.add(name);
  }
  return undefined;
}

function wrongPart(hook: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(hook)) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!part) return `has an unknown key ${name}; a hook has ${hookKeys.join(", ")}`;
    if (part.fits(value)) continue;
    if (name === "event" && typeof value === "string") return `cannot have the event ${value}: ${missingEvent()}`;
    return `cannot have ${name} = ${JSON.stringify(value)}: it must be ${part.text}`;
  }
  if (!("event" in hook)) return `has no event (${hookEvents.join(", ")})`;
  if (!("command" in hook)) return "has no command";
  const event = eventOf(String(hook["event"])) ?? "stop";
  if ("matcher" in hook && !matchedEvents.includes(event)) return `cannot have a matcher: ${event} is about no tool`;
  if (hook["deciding"] === true && !decidingEvents.includes(event))
    return `cannot be deciding: only ${decidingEvents.join(", ")} decide anything`;
  return undefined;
}

type Written = Partial<Omit<HookSettings, "event" | "origin" | "place" | "dialect">> & {
  event: string;
  command: string;
};

/** Checked hooks of one file or flag, with everything that they leave out. */
export function namedHooks(
  value: unknown,
  of: Pick<HookSettings, "origin" | "dialect">,
  places: readonly string[],
): HookSettings[] {
  return (value as Written[]).map((hook, at) => {
    const event = eventOf(hook.event) ?? "before_tool";
    return {
      name: hook.name ?? `${of.origin}-${at + 1}`,
      event,
      ...(hook.matcher !== undefined && { matcher: hook.matcher }),
      command: hook.command,
      timeout_secs: hook.timeout_secs ?? 30,
      home_read: hook.home_read ?? false,
      hosts: hook.hosts ?? [],
      deciding: hook.deciding ?? decidingEvents.includes(event),
      ...of,
      place: places[at] ?? places[0] ?? "",
    };
  });
}
