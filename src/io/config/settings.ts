// What can be configured, and what holds when nobody says anything. Names are those of the TOML files.
import type { Effort } from "../../protocol/effort.ts";
import type { Role } from "../../protocol/decision.ts";
import type { RouterProfile, StrategyName } from "../../protocol/router.ts";

export const providerTypes = ["openai", "openai-compatible", "anthropic", "google", "ollama", "recorded"] as const;
export type ProviderType = (typeof providerTypes)[number];

export interface ProviderSettings {
  type: ProviderType;
  base_url?: string;
  /** Name of the environment variable that holds the key; the key itself never stands in a file. */
  api_key_env?: string;
  default_model?: string;
  idle_secs?: number;
  num_ctx?: number;
  keep_alive?: number | string;
  /** File that a `recorded` provider plays. */
  recording?: string;
  headers?: Record<string, string>;
}

/** What several arms may use together; what is absent is not limited. */
export interface PoolSettings {
  /** `provider/model`, `provider/*` or a provider. */
  arms: string[];
  /** Requests per minute and per day. */
  rpm?: number;
  rpd?: number;
  /** Tokens per minute, per day and per month. */
  tpm?: number;
  tpd?: number;
  tokens_per_month?: number;
  usd_per_day?: number;
  usd_per_month?: number;
  /** Longest wait for room, seconds. */
  wait_secs?: number;
  /** How much dearer the router takes it for as it empties. */
  scarcity?: number;
}

/** US dollars per million tokens. */
export interface PriceSettings {
  input: number;
  output: number;
  cache_read?: number;
  cache_write?: number;
}

interface IdentitySettings {
  role?: "read-only" | "standard" | "privileged" | "admin";
  approver?: "developer" | "senior" | "architect" | "admin";
}

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
}

/** The merged, validated and clamped configuration. `network.hosts` and money limits are already within policy. */
export interface Settings {
  /** `local_hosts`: hosts beside this machine whose models count as local. */
  model: {
    default?: string;
    /** 0: as long as the model's card says. */
    max_output_tokens: number;
    temperature: number;
    /** Absent: as the vendor does by itself. */
    effort?: Effort;
    local_hosts: string[];
  };
  /** By arm, `provider/model`. */
  arms: Record<string, { effort?: Effort }>;
  /** `arms` empty: all that are found. `tiers`: arms by a word that `--model` takes. */
  router: {
    profile: RouterProfile;
    arms: string[];
    tiers: Record<string, string[]>;
    classifier?: string;
    /** Other agents' programs are arms like others. */
    cli: boolean;
    strategies: StrategyName[];
    check?: string;
    check_changes?: string;
  };
  /** Of one run of another agent's program. */
  cli: { max_usd: number; timeout_minutes: number; codex_sandbox: "own" | "fettle" };
  autonomy: { level: 0 | 1 | 2 | 3 | 4 | 5; ceiling: "none" | "plan" | "deny" };
  role: { max: Role };
  approval: { timeout_secs: number; long_timeout_secs: number; four_eyes: boolean; quorum: number };
  /** By name: `local:ada`, `token:ci`. */
  identities: Record<string, IdentitySettings>;
  /** US dollars; 0 is unlimited. */
  budget: {
    session_limit_usd: number;
    daily_limit_usd: number;
    monthly_limit_usd: number;
    task_limit_usd: number;
    wave_limit_usd: number;
    subagent_limit_usd: number;
  };
  context: {
    whole_codebase: "always" | "auto" | "never";
    whole_codebase_tokens: number;
    recent_result_tokens: number;
    restored_tokens: number;
    summary_model?: string;
  };
  agents: { width: number; depth: number };
  limits: {
    rounds: number;
    no_progress_rounds: number;
    failing_rounds: number;
    denials: number;
    repeat_hint: number;
    repeat_stop: number;
    turn_minutes: number;
  };
  task: {
    max_files: number;
    state_minutes: number;
    cap_minutes: number;
    confidence: number;
    repairs: number;
    ci_command?: string;
    ci: "auto" | "local" | "github" | "none";
    ci_minutes: number;
  };
  forge: { github_api?: string };
  tools: {
    output_bytes: number;
    spill_mb: number;
    timeout_secs: {
      image: number;
      build: number;
      install: number;
      test: number;
      migration: number;
      other: number;
    };
  };
  network: {
    hosts: string[];
    process_hosts: string[];
    fetch_timeout_secs: number;
    fetch_max_kb: number;
    idle_secs: number;
    upload_mb: number;
  };
  rules: RuleSettings[];
  /** The person's own before the project's, in the order of their files. */
  hooks: HookSettings[];
  import: { hooks: string[] };
  audit: { retain_days: number };
  checkpoint: { max_mb: number; max_files: number };
  incognito: { local_only: boolean };
  sandbox: {
    enabled: boolean;
    containment: "on" | "off";
    memory_mb: number;
    processes: number;
    file_mb: number;
    free_disk_mb: number;
    cgroup: "auto" | "own" | "off";
  };
  providers: Record<string, ProviderSettings>;
  /** By arm, `provider/model`. */
  prices: Record<string, PriceSettings>;
  pools: Record<string, PoolSettings>;
  review: { turn: boolean };
  ui: { color: "auto" | "always" | "never"; bell: boolean };
}

/** A fresh copy of what holds without any configuration. */
export function defaultSettings(): Settings {
  return {
    model: { max_output_tokens: 0, temperature: 0, local_hosts: [] },
    arms: {},
    router: { profile: "balanced", arms: [], tiers: {}, cli: false, strategies: ["single"] },
    cli: { max_usd: 2, timeout_minutes: 30, codex_sandbox: "own" },
    autonomy: { level: 2, ceiling: "none" },
    role: { max: "admin" },
    approval: { timeout_secs: 300, long_timeout_secs: 86_400, four_eyes: false, quorum: 1 },
    identities: {},
    budget: {
      session_limit_usd: 10,
      daily_limit_usd: 0,
      monthly_limit_usd: 200,
      task_limit_usd: 0,
      wave_limit_usd: 0,
      subagent_limit_usd: 0,
    },
    context: {
      ...{ whole_codebase: "never", whole_codebase_tokens: 8_000 },
      ...{ recent_result_tokens: 16_000, restored_tokens: 50_000 },
    },
    agents: { width: 4, depth: 2 },
    limits: {
      rounds: 200,
      no_progress_rounds: 20,
      failing_rounds: 3,
      denials: 3,
      repeat_hint: 3,
      repeat_stop: 5,
      turn_minutes: 0,
    },
    task: {
      ...{ max_files: 50, state_minutes: 15, cap_minutes: 90, confidence: 0.75, repairs: 3 },
      ...{ ci: "auto", ci_minutes: 30 },
    },
    forge: {},
    tools: {
      output_bytes: 23_000,
      spill_mb: 100,
      timeout_secs: { image: 600, build: 300, install: 300, test: 180, migration: 120, other: 120 },
    },
    network: {
      ...{ hosts: [], process_hosts: [] },
      ...{ fetch_timeout_secs: 20, fetch_max_kb: 2048, idle_secs: 300, upload_mb: 1024 },
    },
    rules: [],
    hooks: [],
    import: { hooks: [] },
    audit: { retain_days: 0 },
    checkpoint: { max_mb: 256, max_files: 500_000 },
    sandbox: {
      ...{ enabled: true, containment: "on", cgroup: "auto" },
      ...{ memory_mb: 0, processes: 4096, file_mb: 8192, free_disk_mb: 512 },
    },
    incognito: { local_only: true },
    providers: {},
    prices: {},
    pools: {},
    review: { turn: false },
    ui: { color: "auto", bell: true },
  };
}
