// Every key, as data: what it accepts, what it means, and how far a repository's own configuration may move it.
import { efforts } from "../../protocol/effort.ts";
import { routerProfiles, strategyNames } from "../../protocol/router.ts";
import { providerTypes } from "./settings.ts";

export type Kind =
  | { type: "integer" | "number"; min: number; max?: number }
  | { type: "boolean" }
  | { type: "string"; form?: "model" | "url" | "variable" }
  | { type: "choice"; values: readonly string[] }
  | { type: "strings"; among?: readonly string[] }
  | { type: "table" }
  | { type: "duration" }
  | { type: "rules" }
  | { type: "hooks" }
  | { type: "examples" };

/**
 * What the project layer may do without trust. free: anything. lower: a smaller number (`unlimited`: 0 counts as no
 * limit at all). higher: a larger number. on: only true. later: only a choice further back in its list. rules: deny and ask rules. never: nothing. own: nothing,
 * not even with trust; nor does trust let it lower what is `higher` or `on`: sandbox, four eyes, quorum.
 */
type ProjectMay = "free" | "lower" | "higher" | "lower-unlimited" | "on" | "later" | "rules" | "never" | "own";

export interface Key {
  /** `*` stands for a name that the person chooses. */
  path: readonly string[];
  kind: Kind;
  project: ProjectMay;
  description: string;
}

export const whole = (min: number, max?: number): Kind => ({
  type: "integer",
  min,
  ...(max === undefined ? {} : { max }),
});
export const amount = (min: number, max?: number): Kind => ({
  type: "number",
  min,
  ...(max === undefined ? {} : { max }),
});
export const key = (path: string, kind: Kind, project: ProjectMay, description: string): Key => ({
  path: path.split("."),
  kind,
  project,
  description,
});
const seconds = (name: string, what: string) =>
  key(`tools.timeout_secs.${name}`, whole(1, 5_400), "lower", `Time limit of ${what}, seconds; 90 minutes at most.`);

export const keys: readonly Key[] = [
  key(
    "model.default",
    { type: "string", form: "model" },
    "never",
    "Model to use, provider/model; auto: the router chooses one for each turn.",
  ),
  key(
    "model.max_output_tokens",
    whole(0),
    "lower-unlimited",
    "Longest answer of one model call, tokens; 0: as long as the model's card allows.",
  ),
  key("model.temperature", amount(0, 2), "free", "Sampling temperature; 0 is the least variance."),
  key(
    "model.effort",
    { type: "choice", values: efforts },
    "never",
    "How much a model that can reason thinks before it answers; unset: as its vendor does.",
  ),
  key(
    "arms.*.effort",
    { type: "choice", values: efforts },
    "never",
    'The same for one model, provider/model: arms."openai/gpt-5.1".effort.',
  ),
  key(
    "model.local_hosts",
    { type: "strings" },
    "own",
    "Hosts beside this machine whose models count as local, for incognito and the profile local.",
  ),
  key(
    "router.profile",
    { type: "choice", values: routerProfiles },
    "later",
    "What the router weighs: quality, balanced, budget or local; inherit: missions and subagents keep the turn's model.",
  ),
  key(
    "router.arms",
    { type: "strings" },
    "never",
    "Models that --model auto chooses among; empty: all that are found.",
  ),
  key("router.tiers.*", { type: "strings" }, "never", "Models that --model WORD chooses among, such as small or best."),
  key(
    "router.classifier",
    { type: "string", form: "model" },
    "never",
    "Local model that says what kind of work a prompt is, within 2 seconds; without it, its words do.",
  ),
  key(
    "router.cli",
    { type: "boolean" },
    "never",
    "Whether --model auto may choose other agents' programs (Claude Code, Codex, Gemini CLI) that are installed.",
  ),
  key("cli.max_usd", amount(0.01), "lower", "US dollars that one run of another agent's program may cost."),
  key("cli.timeout_minutes", whole(1, 90), "lower", "Time limit of one run of another agent's program, minutes."),
  key(
    "router.strategies",
    { type: "strings", among: strategyNames },
    "never",
    "How many models may do a turn that --model auto chooses for: single, cascade, ensemble, synthesis; dearer in that order. With cascade the best one mends what a task's coder has made and fails.",
  ),
  key(
    "router.check",
    { type: "string" },
    "never",
    "Command that tells answers of an ensemble apart, run as COMMAND FILE through the gate; exit 0 is good.",
  ),
  key(
    "router.check_changes",
    { type: "string" },
    "never",
    "Command that tells changes of an ensemble apart, run as it stands in the copy that each was made in; exit 0 is good.",
  ),
  key(
    "cli.codex_sandbox",
    { type: "choice", values: ["own", "fettle"] },
    "never",
    "What confines Codex's commands: its own sandbox, or fettle's alone (its own cannot be made inside of fettle's).",
  ),
  key("autonomy.level", whole(0, 5), "lower", "How much runs unasked: 0 ask ... 2 standard ... 5 full."),
  key(
    "role.max",
    { type: "choice", values: ["admin", "privileged", "standard", "read-only"] },
    "later",
    "The most that a session may do, whoever asked for it: admin, privileged, standard or read-only.",
  ),
  key(
    "autonomy.ceiling",
    { type: "choice", values: ["none", "plan", "deny"] },
    "later",
    "plan: reading only. deny: only what an allow rule allows.",
  ),
  key(
    "approval.timeout_secs",
    whole(1, 86_400),
    "lower",
    "Seconds until an unanswered approval counts as denied; a terminal at which a person sits waits as long as it is open.",
  ),
  key("approval.long_timeout_secs", whole(1, 604_800), "lower", "The same for plans and merges."),
  key("approval.four_eyes", { type: "boolean" }, "on", "True: who asked for the run may not approve its acts."),
  key("approval.quorum", whole(1, 20), "higher", "How many identities have to approve."),
  key(
    "identities.*.role",
    { type: "choice", values: ["read-only", "standard", "privileged", "admin"] },
    "own",
    "What runs that this identity asks for may do.",
  ),
  key(
    "identities.*.approver",
    { type: "choice", values: ["developer", "senior", "architect", "admin"] },
    "own",
    "What this identity may approve.",
  ),
  key(
    "budget.session_limit_usd",
    amount(0),
    "lower-unlimited",
    "US dollars that one session may cost; 0 is unlimited.",
  ),
  key(
    "budget.monthly_limit_usd",
    amount(0),
    "lower-unlimited",
    "US dollars that all sessions of a month may cost; 0 is unlimited.",
  ),
  key(
    "budget.daily_limit_usd",
    amount(0),
    "lower-unlimited",
    "US dollars that all sessions of a day may cost; 0 is unlimited.",
  ),
  key("budget.task_limit_usd", amount(0), "lower-unlimited", "US dollars that one task may cost; 0 is unlimited."),
  key(
    "budget.wave_limit_usd",
    amount(0),
    "lower-unlimited",
    "US dollars that subagents started at once may cost together, set aside when they start; 0: what is left above them.",
  ),
  key(
    "budget.subagent_limit_usd",
    amount(0),
    "lower-unlimited",
    "US dollars that one subagent may cost, set aside when it starts; 0: what its session has left.",
  ),
  key(
    "context.whole_codebase",
    { type: "choice", values: ["always", "auto", "never"] },
    "later",
    "The workspace's sources before every conversation. always: if they fit; auto: if they are few, too; never.",
  ),
  key("context.whole_codebase_tokens", whole(0), "lower", "The most that auto puts before a conversation, tokens."),
  key(
    "context.recent_result_tokens",
    whole(0),
    "free",
    "Tool results that are sent in full, tokens; older ones become a line each. 0: all.",
  ),
  key("context.restored_tokens", whole(0), "lower", "Files that are read again after a compaction, tokens; 0: none."),
  key(
    "context.summary_model",
    { type: "string", form: "model" },
    "never",
    "Model that writes summaries of long conversations; else the session's own.",
  ),
  key("agents.width", whole(0, 16), "lower", "Subagents of one agent at work at a time; more wait. 0: there are none."),
  key(
    "agents.depth",
    whole(1, 4),
    "lower",
    "How deep subagents may start subagents: 1, only the session's first agent starts any.",
  ),
  key("limits.rounds", whole(1), "lower", "Model calls in one turn."),
  key("limits.no_progress_rounds", whole(1), "lower", "Rounds without new content, result or error before a stop."),
  key("limits.failing_rounds", whole(1), "lower", "Consecutive rounds in which every call failed before a stop."),
  key("limits.denials", whole(1), "lower", "Denials that end a turn."),
  key("limits.repeat_hint", whole(1), "lower", "Identical calls until the model is told."),
  key("limits.repeat_stop", whole(2), "lower", "Identical calls until the turn stops."),
  key(
    "limits.turn_minutes",
    amount(0, 90),
    "lower-unlimited",
    "Minutes that one turn may take; 0 goes by the stack (30, 45, 60) and is extended up to 90 while work goes on.",
  ),
  key("task.max_files", whole(1), "lower", "Files that the plan of a task may touch."),
  key("task.state_minutes", amount(0.01), "lower", "Longest time in one state of a task, minutes, people not counted."),
  key("task.cap_minutes", amount(0.01), "lower", "Longest time of a whole task, minutes, people not counted."),
  key("task.confidence", amount(0, 1), "higher", "Confidence from which the intent of a task needs no question."),
  key("task.repairs", whole(0, 10), "lower", "Repairs per command that fails in a task."),
  key(
    "task.ci_command",
    { type: "string" },
    "never",
    "Says by its exit code whether the CI would pass; empty: .ci/run.",
  ),
  key(
    "task.ci",
    { type: "choice", values: ["auto", "local", "github", "none"] },
    "never",
    "Which CI a task has to pass. auto: the script; github: the branch is pushed, and its runs are waited for.",
  ),
  key("task.ci_minutes", amount(0.01), "lower", "Minutes that the runs of a CI are waited for; then you are asked."),
  key(
    "forge.github_api",
    { type: "string", form: "url" },
    "own",
    "API of a GitHub of your own (https://HOST/api/v3); github.com needs none.",
  ),
  key(
    "tools.output_bytes",
    whole(256, 1_000_000),
    "lower",
    "Most bytes of an output that go back to the model; what is longer is cut to 70 % of them.",
  ),
  key("tools.spill_mb", whole(1, 10_000), "lower", "Megabytes of a long output that are kept on disk."),
  seconds("image", "container image builds"),
  seconds("build", "builds"),
  seconds("install", "installs"),
  seconds("test", "test runs"),
  seconds("migration", "database migrations"),
  seconds("other", "every other command"),
  key("network.hosts", { type: "strings" }, "never", "Hosts that fetch may read: [GET] host[:port][/path], *.host."),
  key("network.process_hosts", { type: "strings" }, "never", "Hosts that each command with a network may reach too."),
  key("network.fetch_timeout_secs", whole(1, 3600), "lower", "Time limit of one fetch with its redirects, seconds."),
  key("network.fetch_max_kb", whole(1, 1_000_000), "lower", "Kilobytes of a fetched page that are read."),
  key("network.idle_secs", whole(1, 86_400), "lower", "Seconds until a command's silent connection is closed."),
  key("network.upload_mb", whole(1, 1_000_000), "lower", "Megabytes that one command may send out."),
  key("rules", { type: "rules" }, "rules", "Rules that allow, ask or deny; see docs/guide/rules.md."),
  key("hooks", { type: "hooks" }, "never", "Programs that are told of calls and may refuse them; docs/guide/hooks.md."),
  key("import.hooks", { type: "strings", among: ["claude"] }, "own", "Agents whose hook files are read too: claude."),
  key(
    "audit.retain_days",
    whole(0),
    "never",
    "Days after which whole segments of the ledger are dropped, at a session's end; 0 keeps everything.",
  ),
  key(
    "checkpoint.max_mb",
    whole(1),
    "never",
    "Most that a checkpoint reads and keeps, megabytes, besides what git holds already.",
  ),
  key(
    "checkpoint.max_files",
    whole(1),
    "never",
    "Most files that a checkpoint reads and keeps, besides what git holds already.",
  ),
  key(
    "incognito.local_only",
    { type: "boolean" },
    "on",
    "Incognito sessions ask local models only: on this machine, or at a host that model.local_hosts names.",
  ),
  key("sandbox.enabled", { type: "boolean" }, "on", "Run every process in the kernel sandbox where there is one."),
  key(
    "sandbox.containment",
    { type: "choice", values: ["on", "off"] },
    "never",
    "on: what runs on layers and does nothing else that is known to ask counts as L1. off: it is asked as without them.",
  ),
  key(
    "sandbox.memory_mb",
    whole(0),
    "lower-unlimited",
    "Megabytes of memory that one command may use; 0 is three quarters of the machine's.",
  ),
  key("sandbox.processes", whole(16), "lower", "Processes and threads that one command may have."),
  key("sandbox.file_mb", whole(0), "lower-unlimited", "Largest file that a command may write, megabytes; 0 is any."),
  key("sandbox.free_disk_mb", whole(0), "higher", "Megabytes of disk that a command has to leave free."),
  key(
    "sandbox.cgroup",
    { type: "choice", values: ["auto", "own", "off"] },
    "never",
    "Control groups for limits. auto: where this user was given some. own: beside fettle's own, for root too.",
  ),
  key("providers.*.type", { type: "choice", values: providerTypes }, "never", "Which protocol the provider speaks."),
  key("providers.*.base_url", { type: "string", form: "url" }, "never", "Address of the provider's API."),
  key(
    "providers.*.api_key_env",
    { type: "string", form: "variable" },
    "never",
    "Environment variable that holds the key.",
  ),
  key("providers.*.default_model", { type: "string" }, "never", "Model when only the provider is named."),
  key("providers.*.idle_secs", whole(1, 86_400), "never", "Seconds of silence until an answer is given up; else 300."),
  key("providers.*.num_ctx", whole(512), "never", "Context window that Ollama is asked for, tokens."),
  key(
    "providers.*.keep_alive",
    { type: "duration" },
    "never",
    "How long Ollama keeps the model loaded; -1 is for ever.",
  ),
  key("providers.*.recording", { type: "string" }, "never", "File that a recorded provider plays."),
  key("providers.*.headers", { type: "table" }, "never", "Additional HTTP headers, none of them secret."),
  key("prices.*.input", amount(0), "never", "US dollars per million input tokens."),
  key("prices.*.output", amount(0), "never", "US dollars per million output tokens."),
  key("prices.*.cache_read", amount(0), "never", "US dollars per million input tokens read from the cache."),
  key("prices.*.cache_write", amount(0), "never", "US dollars per million input tokens written to the cache."),
  key("pools.*.arms", { type: "strings" }, "never", "Models that draw from the pool: provider/model, provider/*."),
  key("pools.*.rpm", whole(1), "never", "Requests per minute."),
  key("pools.*.rpd", whole(1), "never", "Requests per day (UTC)."),
  key("pools.*.tpm", whole(1), "never", "Tokens per minute, in and out."),
  key("pools.*.tpd", whole(1), "never", "Tokens per day (UTC)."),
  key("pools.*.tokens_per_month", whole(1), "never", "Tokens per month (UTC)."),
  key("pools.*.usd_per_day", amount(0), "never", "US dollars per day (UTC)."),
  key("pools.*.usd_per_month", amount(0), "never", "US dollars per month (UTC)."),
  key("pools.*.wait_secs", whole(0, 86_400), "never", "Longest wait until an empty pool has room, seconds; 60."),
  key("pools.*.scarcity", amount(0, 10), "never", "How much dearer it counts as it empties: 1/free^k; 2."),
  key(
    "review.turn",
    { type: "boolean" },
    "on",
    "True: every turn that changed files ends with its diff and waits to keep or discard it, not only at autonomy 0 and 1.",
  ),
  key("ui.bell", { type: "boolean" }, "free", "False: no bell and no notification when a question waits."),
  key("ui.color", { type: "choice", values: ["auto", "always", "never"] }, "free", "Colours: auto asks the terminal."),
];

const fits = (pattern: readonly string[], path: readonly string[]) =>
  pattern.length === path.length && pattern.every((word, at) => word === "*" || word === path[at]);

export const findKey = (path: readonly string[], among: readonly Key[] = keys): Key | undefined =>
  among.find((candidate) => fits(candidate.path, path));

/** True when keys exist below `path`, so that a table may stand there. */
export const isSection = (path: readonly string[], among: readonly Key[] = keys): boolean =>
  among.some((candidate) => candidate.path.length > path.length && fits(candidate.path.slice(0, path.length), path));

/** `prices."openai/gpt-5.1".input` */
export const keyText = (path: readonly string[]): string =>
  path.map((word) => (/^[\w-]+$/.test(word) ? word : JSON.stringify(word))).join(".");

/** The reverse of `keyText`; undefined when the text is no key. */
export function keyPath(text: string): string[] | undefined {
  const words: string[] = [];
  const word = /\s*(?:([\w-]+)|("(?:[^"\\]|\\.)*")|'([^']*)')\s*(\.|$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push(found[1] ?? found[3] ?? (found[2] ?? '""').slice(1, -1).replace(/\\(["\\])/g, "$1"));
    if (found[4] === "") return words;
  }
  return undefined;
}
