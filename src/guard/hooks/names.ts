// What other agents call the tools, and how a call looks in their words, for hooks that were written for them.
import { shellWord } from "../../base/shell-word.ts";
import path from "node:path";
import { namePattern } from "../../base/name-pattern.ts";
import type { HookSettings } from "../../io/config/setting-kinds.ts";
import type { Action, FileChange, GateCall } from "../../protocol/action.ts";
import type { Json } from "../../protocol/message.ts";

/** Claude Code's names first, then those of Gemini CLI. A tool that does what several of theirs do has all of their names. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  shell: ["Bash", "run_shell_command"],
  git: ["Bash", "run_shell_command"],
  read: ["Read", "read_file"],
  write: ["Write", "write_file"],
  edit: ["Edit", "MultiEdit", "replace"],
  apply_patch: ["Edit", "MultiEdit", "Write", "replace", "write_file"],
  glob: ["Glob", "glob"],
  grep: ["Grep", "search_file_content"],
  list: ["LS", "list_directory"],
  fetch: ["WebFetch", "web_fetch"],
  todo: ["TodoWrite", "write_todos"],
  ask: ["AskUserQuestion"],
  job: ["BashOutput", "KillShell"],
};

const foreignNames = (tool: string): readonly string[] => (Object.hasOwn(foreign, tool) ? (foreign[tool] ?? []) : []);

/** One way to show a call to a hook. */
export interface View {
  /** The name that the matcher chose. */
  toolName: string;
  input: Json;
  /** A changed input can be read back as one of the tool's own. */
  changeable: boolean;
}

const matching = (hook: HookSettings, names: readonly string[]): string | undefined => {
  const pattern = namePattern(hook.matcher ?? "");
  // What cannot be read as a pattern matches everything: the hook is asked rather than left out.
  return pattern ? names.find((name) => pattern.test(name)) : names[0];
};

/** How a call is shown to this hook: not at all, once, or once for each file that a patch touches. */
export function viewsOf(hook: HookSettings, call: GateCall, input: Json, workspace: string): View[] {
  const own = [call.tool, ...serverNames(call.action), ...foreignNames(call.tool)];
  if (hook.dialect === "fettle") {
    const found = matching(hook, own);
    return found === undefined ? [] : [{ toolName: foreignNames(call.tool)[0] ?? call.tool, input, changeable: true }];
  }
  const shown = claudeViews(call, input, workspace);
  return shown.flatMap(({ names, ...view }) => {
    const found = matching(hook, [...names, call.tool]);
    return found === undefined ? [] : [{ ...view, toolName: found === call.tool ? (names[0] ?? found) : found }];
  });
}

const serverNames = (action: Action): string[] =>
  action.kind === "mcp" && action.op === "call" ? [`mcp__${action.server}__${action.what}`] : [];

type Shown = Omit<View, "toolName"> & { names: readonly string[] };

function claudeViews({ tool, action, claim }: GateCall, input: Json, workspace: string): Shown[] {
  if (action.kind === "mcp" && action.op === "call")
    return [{ names: serverNames(action), input: action.input, changeable: false }];
  const names = foreignNames(tool);
  if (action.kind === "change") {
    const single = tool !== "apply_patch" && action.changes.length === 1;
    return action.changes.flatMap((change) => fileViews(change, workspace, single));
  }
  return [{ names, input: claudeInput(action, input, workspace, claim), changeable: tool !== "git" }];
}

function fileViews(change: FileChange, workspace: string, changeable: boolean): Shown[] {
  const file = (name: string) => path.resolve(workspace, name);
  switch (change.op) {
    case "write":
      return [
        {
          names: ["Write", "write_file"],
          input: { file_path: file(change.path), content: change.content },
          changeable,
        },
      ];
    case "edit":
      return [
        { names: ["Edit", "MultiEdit", "replace"], input: editInput(file(change.path), change.edits), changeable },
      ];
    case "delete":
      return [
        {
          names: ["Write", "Edit", "MultiEdit"],
          input: { file_path: file(change.path), content: "" },
          changeable: false,
        },
      ];
    case "move":
      return [change.path, change.to].map((name) => ({
        names: ["Edit", "MultiEdit", "Write"],
        input: editInput(file(name), change.edits),
        changeable: false,
      }));
  }
}

function editInput(file: string, edits: readonly { old: string; new: string; all?: boolean | undefined }[]): Json {
  const [only, ...more] = edits;
  const text = (side: "old" | "new") => edits.map((edit) => edit[side]).join("\n");
  return {
    file_path: file,
    old_string: text("old"),
    new_string: text("new"),
    ...(only && more.length === 0 && { replace_all: only.all === true }),
    ...(more.length > 0 && { edits: edits.map((edit) => ({ old_string: edit.old, new_string: edit.new })) }),
  };
}

function claudeInput(action: Action, input: Json, workspace: string, claim: string | undefined): Json {
  switch (action.kind) {
    case "shell":
      return {
        command: action.command,
        ...(claim !== undefined && { description: claim }),
        ...(action.timeoutMs !== undefined && { timeout: action.timeoutMs }),
        ...(action.background && { run_in_background: true }),
      };
    case "program":
      return { command: action.argv.map(shellWord).join(" ") };
    case "read":
      return { ...objectOf(input), file_path: path.resolve(workspace, action.path) };
    case "fetch":
      return { ...objectOf(input), url: action.url };
    default:
      return input;
  }
}

const objectOf = (input: Json): { [key: string]: Json } =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([name]) => name !== "path"))
    : {};

/**
 * The input of the tool that a changed one of the hook's words means; undefined when that cannot be told.
 * Tools take the names that other agents have for their parameters; a time in milliseconds they do not.
 */
export function ownInput(hook: HookSettings, view: View, call: GateCall, changed: Json): Json | undefined {
  if (hook.dialect === "fettle") return changed;
  if (!view.changeable || typeof changed !== "object" || changed === null || Array.isArray(changed)) return undefined;
  const { timeout, replace_all: all, edits, ...rest } = changed as { [key: string]: Json };
  if (edits !== undefined) return undefined;
  return {
    ...rest,
    ...(all === true && { replace_all: true }),
    ...(call.tool === "shell" && typeof timeout === "number" && { timeout: Math.max(1, Math.ceil(timeout / 1000)) }),
  };
}
