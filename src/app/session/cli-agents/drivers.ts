// How each program is started: never with a flag that lifts its own safeguards, and told nothing that a repository brings.
import type { ActionOf } from "../../../protocol/action.ts";
import { readClaude } from "../../../model/cli-agents/claude.ts";
import { readCodex } from "../../../model/cli-agents/codex.ts";
import type { ReadLine } from "../../../model/cli-agents/events.ts";
import { readGemini } from "../../../model/cli-agents/gemini.ts";

/** Where its vendor is reached, and as whom. */
interface Account {
  baseUrl: string;
  /** The vendor's own address. */
  usual: boolean;
  key: string | undefined;
  /** A person lets fettle's sandbox stand for the program's own. */
  confined: boolean;
}

interface Driver {
  read: ReadLine;
  /** Behind the program's name; the prompt comes by standard input. */
  words(action: ActionOf<"cli-agent">, account: Account): string[];
  /** `home`: a folder that is its own. */
  env(account: Account, home: string, action: ActionOf<"cli-agent">): Record<string, string>;
  /** Files below `home` that have to be there. */
  files?: Readonly<Record<string, string>>;
}

const bare = (url: string): string => url.replace(/\/v1(beta)?\/?$/, "");
const optionOf = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value]);

const claude: Driver = {
  read: readClaude,
  words: ({ writes, model, resume, cap }) => [
    ...["--print", "--output-format", "stream-json", "--verbose"],
    ...["--permission-mode", writes ? "acceptEdits" : "plan"],
    ...["--allowedTools", writes ? "Bash,Edit,Write,Read,Grep,Glob" : "Read,Grep,Glob"],
    // What a repository configures would be run: its hooks, its servers.
    ...["--setting-sources", "user", "--strict-mcp-config"],
    ...["--max-budget-usd", (cap / 1e6).toFixed(4)],
    ...optionOf("--model", model),
    ...optionOf("--resume", resume),
  ],
  env: ({ baseUrl, usual, key }, home, { effort }) => ({
    // Older versions do not know the option --effort and would end; the variable says the same.
    ...(effort !== undefined && { CLAUDE_CODE_EFFORT_LEVEL: effort }),
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    ...(!usual && { ANTHROPIC_BASE_URL: bare(baseUrl) }),
    ...(key !== undefined && { ANTHROPIC_API_KEY: key }),
  }),
};

const codex: Driver = {
  read: readCodex,
  words: ({ writes, model, resume, effort }, { baseUrl, usual, key, confined }) => [
    ...["exec", "--json", "--skip-git-repo-check", "--sandbox", sandboxOf(writes, confined)],
    ...["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"],
    ...(usual && key === undefined ? [] : ["-c", 'model_provider="fettle"', "-c", provider(baseUrl)]),
    ...optionOf("-c", effort === undefined ? undefined : `model_reasoning_effort=${JSON.stringify(effort)}`),
    ...optionOf("--model", model),
    ...(resume === undefined ? [] : ["resume", resume]),
    "-",
  ],
  env: ({ key }, home) => ({ CODEX_HOME: `${home}/.codex`, ...(key !== undefined && { OPENAI_API_KEY: key }) }),
  files: { ".codex/.keep": "" },
};

/** Where a person has said so, fettle's sandbox is the only one: the two do not fit into each other. */
function sandboxOf(writes: boolean, confined: boolean): string {
  if (confined) return "danger-full-access";
  return writes ? "workspace-write" : "read-only";
}

const provider = (url: string): string =>
  `model_providers.fettle={name="fettle",base_url=${JSON.stringify(url)},env_key="OPENAI_API_KEY",wire_api="responses"}`;

const gemini: Driver = {
  read: readGemini,
  words: ({ writes, model, resume }) => [
    ...["--output-format", "stream-json", "--approval-mode", writes ? "auto_edit" : "plan", "--skip-trust"],
    ...optionOf("--model", model),
    ...optionOf("--resume", resume),
  ],
  env: ({ baseUrl, usual, key }) => ({
    GEMINI_TELEMETRY_ENABLED: "false",
    ...(!usual && { GOOGLE_GEMINI_BASE_URL: bare(baseUrl) }),
    ...(key !== undefined && { GEMINI_API_KEY: key }),
  }),
  files: {
    ".gemini/settings.json": `${JSON.stringify({
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: "gemini-api-key" } },
    })}\n`,
  },
};

export const drivers: Readonly<Record<string, Driver>> = { claude, codex, gemini };

export const wireOf = (program: string): ReadLine => drivers[program]?.read ?? (() => []);
