// What a setting may hold, and how a row of the settings' table is written.

/** Same shape as `Rule` of guard/ports.ts, with the examples that are checked when it loads. */
export interface RuleSettings {
  action: "allow" | "ask" | "deny";
  /** Where it stands, for people: `user config, rule 2`. */
  source: string;
  /** `~/.config/fettle/config.toml:12`; absent for rules of flags and variables. */
  place?: string;
  effect?: string[];
  program?: string;
  args?: string[];
  paths?: string[];
  hosts?: string[];
  match?: string[];
  not_match?: string[];
}

export const hookEvents = [
  "session_start",
  "session_end",
  "before_tool",
  "after_tool",
  "before_compaction",
  "stop",
  "user_prompt",
  "after_compaction",
  "permission_asked",
  "notification",
  "subagent_start",
  "subagent_end",
  "task_state",
  "file_changed",
  "status",
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A program that is told of a moment, and may have a say in it (docs/guide/hooks.md). */
export interface HookSettings {
  name: string;
  event: HookEvent;
  /** Pattern of tool names; absent: every tool. */
  matcher?: string;
  command: string;
  timeout_secs: number;
  home_read: boolean;
  hosts: string[];
  /** Whatever goes wrong with it denies. */
  deciding: boolean;
  /** Whose input it reads and whose answers it gives. */
  dialect: "fettle" | "claude";
  origin: "user" | "project";
  /** `~/.config/fettle/config.toml:12` */
  place: string;
  /** Of a project's hook: what of the repository it runs, and the digest of each when it was trusted. */
  files?: Record<string, string>;
  /** Of a plugin's hook: the plugin's folder, which it sees. */
  root?: string;
}

export type Kind =
  | { type: "integer" | "number"; min: number; max?: number }
  | { type: "boolean" }
  | { type: "string"; form?: "model" | "url" | "variable" }
  | { type: "choice"; values: readonly string[] }
  | { type: "strings"; among?: readonly string[] }
  | { type: "table" | "duration" | "rules" | "hooks" | "examples" };

/** What a value of a kind is in TypeScript; `K` carries it where the kind alone does not say. */
export type ValueOf<K> = K extends { value?: infer Told }
  ? Exclude<Told, undefined>
  : K extends { type: "integer" | "number" }
    ? number
    : K extends { type: "boolean" }
      ? boolean
      : K extends { type: "choice"; values: readonly (infer One)[] }
        ? One
        : K extends { type: "strings"; among: readonly (infer One)[] }
          ? One[]
          : K extends { type: "strings" }
            ? string[]
            : K extends { type: "table" }
              ? Record<string, string>
              : K extends { type: "duration" }
                ? number | string
                : K extends { type: "rules" }
                  ? RuleSettings[]
                  : K extends { type: "hooks" }
                    ? HookSettings[]
                    : string;

/**
 * What the project layer may do without trust. free: anything. lower: a smaller number (`unlimited`: 0 counts as no
 * limit at all). higher: a larger number. on: only true. later: only a choice further back in its list. rules: deny and
 * ask rules. never: nothing. own: nothing, not even with trust; nor does trust let it lower what is `higher` or `on`:
 * sandbox, four eyes, quorum.
 */
export type ProjectMay = "free" | "lower" | "higher" | "lower-unlimited" | "on" | "later" | "rules" | "never" | "own";

/** One row of the table. `Set`: always there, by its default or because a table without it is refused. */
export interface Row<K extends Kind = Kind, Set extends boolean = boolean> {
  kind: K;
  project: ProjectMay;
  description: string;
  /** What holds when nobody says anything; absent: unset. */
  value?: unknown;
  set: Set;
}

export const whole = (min: number, max?: number): { type: "integer"; min: number; max?: number } => ({
  type: "integer",
  min,
  ...(max !== undefined && { max }),
});
export const amount = (min: number, max?: number): { type: "number"; min: number; max?: number } => ({
  type: "number",
  min,
  ...(max !== undefined && { max }),
});
export const choice = <const Values extends readonly string[]>(...values: Values) =>
  ({ type: "choice", values }) as const;
export const texts = (): { type: "strings" } => ({ type: "strings" });
export const textsAmong = <const Values extends readonly string[]>(...among: Values) =>
  ({ type: "strings", among }) as const;
export const flag = { type: "boolean" } as const;
export const text = { type: "string" } as const;
export const model = { type: "string", form: "model" } as const;
export const url = { type: "string", form: "url" } as const;
export const variable = { type: "string", form: "variable" } as const;
/** A kind whose values TypeScript cannot read off it. */
export const typed = <Value>(kind: Kind): Kind & { value?: Value } => kind;

interface RowMaker {
  <K extends Kind>(kind: K, description: string): Row<K, false>;
  <K extends Kind>(kind: K, description: string, value: ValueOf<K>): Row<K, true>;
}
const rowThatProjects = (project: ProjectMay): RowMaker =>
  ((kind: Kind, description: string, value?: unknown) => ({
    ...{ kind, project, description, set: value !== undefined },
    ...(value !== undefined && { value }),
  })) as RowMaker;

export const free = rowThatProjects("free");
export const lower = rowThatProjects("lower");
export const lowerOrUnlimited = rowThatProjects("lower-unlimited");
export const higher = rowThatProjects("higher");
export const on = rowThatProjects("on");
export const later = rowThatProjects("later");
export const tightenRules = rowThatProjects("rules");
export const never = rowThatProjects("never");
export const own = rowThatProjects("own");

/** A key without which its table is refused (`providers.ts`). */
export const needed = <K extends Kind>(row: Row<K, false>): Row<K, true> => ({ ...row, set: true });
