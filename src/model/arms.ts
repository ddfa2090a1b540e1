// From what a person wrote, or did not write, to a provider and a model that can be asked.
import { classifyHost } from "../base/address.ts";
import { Fault } from "../base/fault.ts";
import type { Settings } from "../io/config/settings.ts";
import type { Findings } from "../io/store/findings.ts";
import { Exit } from "../protocol/exit.ts";
import type { Arm } from "./contract/arm.ts";
import { type Endpoint, endpoints } from "./contract/endpoints.ts";
import { knownModels } from "./contract/known-models.ts";
import { checkPulled, notRunning, pulledModels } from "./ollama-check.ts";
import { ToldLimits } from "./contract/told.ts";
import type { Provider } from "./contract/provider.ts";
import { programNamed } from "./registry/command-line.ts";
import { usualNumCtx } from "./registry/context.ts";
import { armFacts } from "./registry/facts.ts";
import { findingOf } from "./registry/findings.ts";
import type { Connection } from "./contract/connection.ts";

export type ModelSettings = Pick<Settings, "model" | "providers" | "prices">;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `spec`: `provider/model` (a model may hold slashes), a provider, or a model of the default provider; undefined: what
 * configuration, environment or a running Ollama say. `findings`: of earlier looks. The name of the arm resolves to the same arm. Rejects with a Fault (exit 2) that names the next step.
 */
export async function resolveArm(
  spec: string | undefined,
  settings: ModelSettings,
  env: Environment,
  findings: Findings = {},
): Promise<Arm> {
  const all = endpoints(settings, env);
  const wanted = spec?.trim() || settings.model.default?.trim();
  const agent = wanted !== undefined && !all.has(wanted.split("/", 1)[0] ?? "") ? programNamed(wanted) : undefined;
  if (agent) return (await import("./cli-agents/arm.ts")).agentArm(agent, env);
  const { endpoint, model } = wanted ? await find(wanted, all, env) : await defaultChoice(all, env);
  if (!model) throw noModel(endpoint);
  if (endpoint.type === "ollama") await checkPulled(endpoint.baseUrl, model);
  const name = `${endpoint.name}/${model}`;
  const provider = await createProvider(endpoint, env, model);
  const { contextTokens: contextWindow, ...facts } = armFacts(endpoint, model, settings, findingOf(name, findings));
  return { ...facts, model, provider, contextWindow };
}

interface Choice {
  endpoint: Endpoint;
  model: string | undefined;
}

async function find(wanted: string, all: Map<string, Endpoint>, env: Environment): Promise<Choice> {
  const slash = wanted.indexOf("/");
  const named = all.get(slash < 0 ? wanted : wanted.slice(0, slash));
  if (named) return { endpoint: named, model: slash < 0 ? named.defaultModel : wanted.slice(slash + 1) };
  if (wanted.startsWith("recorded/")) return { endpoint: recordedEndpoint, model: wanted.slice("recorded/".length) };
  const vendor = knownModels
    .find(({ arm }) => arm.split("/")[1]?.replace("*", "") && isOf(wanted, arm))
    ?.arm.split("/")[0];
  const owner = vendor ? all.get(vendor) : undefined;
  if (slash >= 0) {
    const asked = await listersOf(wanted, all, env);
    const lister = asked.find(({ lists }) => lists) ?? asked.find(({ silent }) => silent);
    if (lister) return { endpoint: lister.endpoint, model: wanted };
    throw unknownProvider(wanted, all, asked);
  }
  if (owner?.chosen && owner.type !== "openai-compatible") return { endpoint: owner, model: wanted };
  // A vendor's own model is never sent to another vendor; a server that offers many may have it.
  const chosen = [...all.values()].find(
    (endpoint) => endpoint.chosen && (!owner || endpoint.type === "openai-compatible" || endpoint.type === "ollama"),
  );
  if (chosen) return { endpoint: chosen, model: wanted };
  if (owner) return { endpoint: owner, model: wanted };
  throw new Fault(
    "model.unknown-provider",
    Exit.usage,
    `No provider is known for the model "${wanted}".`,
    `Write provider/model with one of: ${[...all.keys()].join(", ")}.`,
  );
}

const listPatienceMs = 3_000;

/** Servers that offer the models of many have slashes in the names: one that lists the name is asked. */
async function listersOf(wanted: string, all: Map<string, Endpoint>, env: Environment) {
  const servers = [...all.values()].filter((endpoint) => endpoint.chosen && endpoint.type === "openai-compatible");
  return Promise.all(
    servers.map(async (endpoint) => {
      try {
        const provider = await createProvider(endpoint, env);
        const offered = await provider.models(AbortSignal.timeout(listPatienceMs));
        return { endpoint, lists: offered.some(({ id }) => id === wanted), silent: offered.length === 0 };
      } catch {
        // It is asked for the model itself, and says what is wrong with that.
        return { endpoint, lists: false, silent: true };
      }
    }),
  );
}

/** What stands before the slash names the provider: another one is never asked in its place. */
function unknownProvider(wanted: string, all: Map<string, Endpoint>, asked: Awaited<ReturnType<typeof listersOf>>) {
  const chosen = [...all.values()].filter((endpoint) => endpoint.chosen).map(({ name }) => name);
  const [first = [...all.keys()][0] ?? "openai"] = chosen;
  const lists = asked.map(({ endpoint }) => endpoint.name).join(", ");
  return new Fault(
    "model.unknown-provider",
    Exit.usage,
    `There is no provider "${wanted.slice(0, wanted.indexOf("/"))}", so nobody is asked for the model "${wanted}".` +
      (lists && ` The list of ${lists} does not have it.`),
    `Write provider/model with one of: ${[...all.keys()].join(", ")}. ` +
      `If a slash belongs to the model's own name, the provider stands before it: ${first}/${wanted}`,
  );
}

const isOf = (model: string, arm: string): boolean => model.startsWith((arm.split("/")[1] ?? arm).replace("*", ""));

/** `recorded/FILE` plays a file without any configuration. */
const recordedEndpoint: Endpoint = {
  name: "recorded",
  type: "recorded",
  baseUrl: "http://127.0.0.1",
  near: "here",
  keyVariables: [],
  needsKey: false,
  chosen: true,
  defaultModel: undefined,
  settings: {},
};

async function defaultChoice(all: Map<string, Endpoint>, env: Environment): Promise<Choice> {
  const chosen = [...all.values()].filter((endpoint) => endpoint.chosen);
  const named = chosen.find((endpoint) => env[`${endpoint.name.toUpperCase()}_MODEL`]);
  const first = named ?? chosen.find((endpoint) => endpoint.defaultModel && endpoint.type !== "ollama");
  if (first) return { endpoint: first, model: first.defaultModel };
  const ollama = all.get("ollama");
  const found = ollama ? await firstPulled(ollama) : undefined;
  if (ollama && found?.model) return { endpoint: ollama, model: found.model };
  for (const endpoint of all.values()) {
    if (endpoint.defaultModel && (await storedKey(endpoint.name, env)))
      return { endpoint, model: endpoint.defaultModel };
  }
  const other = chosen.find((endpoint) => endpoint.type !== "ollama") ?? (found?.problem ? undefined : chosen[0]);
  if (other) return { endpoint: other, model: undefined };
  if (ollama?.chosen) throw notRunning(ollama.baseUrl, found?.problem);
  throw nothingConfigured();
}

/** Short: most machines have none, and a person waits. */
async function firstPulled(ollama: Endpoint): Promise<{ model?: string; problem?: unknown }> {
  if (ollama.defaultModel) return { model: ollama.defaultModel };
  try {
    const [first] = await pulledModels(ollama.baseUrl, 300);
    return first ? { model: first.id } : {};
  } catch (problem) {
    return { problem };
  }
}

const nothingConfigured = (): Fault =>
  new Fault(
    "model.none",
    Exit.usage,
    "No model is configured, and no Ollama is running on this machine.",
    [
      "Do one of these:",
      "  1. Put a key in the environment: export ANTHROPIC_API_KEY=... (or OPENAI_API_KEY, GEMINI_API_KEY,",
      "     OPENROUTER_API_KEY, MISTRAL_API_KEY; for another server OPENAI_BASE_URL and OPENAI_MODEL).",
      "  2. Keep a key in the keychain: fettle login anthropic",
      "  3. Run a model here: install Ollama, then ollama pull qwen3:8b",
      "`fettle models` shows what is found; `fettle demo` needs no model.",
    ].join("\n"),
  );

const noModel = (endpoint: Endpoint): Fault =>
  new Fault(
    "model.unnamed",
    Exit.usage,
    `Which model of ${endpoint.name} to use is not said.`,
    endpoint.type === "ollama"
      ? "Pull one: ollama pull qwen3:8b"
      : `Say --model ${endpoint.name}/MODEL, or set it for good: fettle config set model.default ${endpoint.name}/MODEL`,
  );

/** The adapter for an endpoint. Rejects with a Fault when it needs a key and there is none. */
export async function createProvider(endpoint: Endpoint, env: Environment, model?: string): Promise<Provider> {
  if (endpoint.type === "recorded") {
    const { recordedProvider } = await import("./providers/recorded.ts");
    return recordedProvider(endpoint.name, endpoint.settings.recording ?? model ?? "");
  }
  const connection = await connect(endpoint, env);
  switch (endpoint.type) {
    case "anthropic":
      return (await import("./providers/anthropic.ts")).anthropicProvider(connection);
    case "openai":
      return (await import("./providers/openai.ts")).openaiProvider(connection);
    case "google":
      return (await import("./providers/google.ts")).googleProvider(connection);
    case "ollama": {
      const { ollamaProvider } = await import("./providers/ollama.ts");
      return ollamaProvider(connection, {
        numCtx: endpoint.settings.num_ctx ?? usualNumCtx,
        keepAlive: endpoint.settings.keep_alive ?? -1,
      });
    }
    default: {
      const { openaiCompatibleProvider } = await import("./providers/openai-compatible.ts");
      const strict = /(^|\.)mistral\.ai$/.test(new URL(connection.baseUrl).hostname);
      return strict ? openaiCompatibleProvider(connection, /^[a-zA-Z0-9]{9}$/) : openaiCompatibleProvider(connection);
    }
  }
}

async function connect(endpoint: Endpoint, env: Environment): Promise<Connection> {
  if (!URL.canParse(endpoint.baseUrl)) {
    throw new Fault(
      "model.base-url",
      Exit.usage,
      `The address of ${endpoint.name}, "${endpoint.baseUrl}", is not a URL.`,
      `Set providers.${endpoint.name}.base_url, for example to http://127.0.0.1:8080/v1.`,
    );
  }
  const [variable] = endpoint.keyVariables;
  const where = variable
    ? `Set ${variable} or run \`fettle login ${endpoint.name}\`.`
    : `Run \`fettle login ${endpoint.name}\`.`;
  const key = await keyOf(endpoint, env);
  if (!key && endpoint.needsKey) {
    throw new Fault("model.no-key", Exit.usage, `There is no key for ${endpoint.name}.`, where);
  }
  return {
    name: endpoint.name,
    baseUrl: endpoint.baseUrl,
    key,
    keyRemedy: where,
    headers: endpoint.settings.headers ?? {},
    told: new ToldLimits(),
    ...(endpoint.settings.idle_secs === undefined ? {} : { idleMs: endpoint.settings.idle_secs * 1000 }),
    local: endpoint.near === "here",
  };
}

/** From the environment, else the keychain, which is not asked for a server that needs none. */
export async function keyOf(endpoint: Endpoint, env: Environment): Promise<string | undefined> {
  for (const variable of endpoint.keyVariables) {
    const value = env[variable]?.trim();
    if (value) return value;
  }
  const place = classifyHost(new URL(endpoint.baseUrl).hostname);
  const needless = endpoint.type === "ollama" || (!endpoint.needsKey && place === "loopback");
  return needless ? undefined : storedKey(endpoint.name, env);
}

async function storedKey(provider: string, env: Environment): Promise<string | undefined> {
  const { credentialsFile, getSecret } = await import("../io/places/keychain.ts");
  return getSecret(`provider:${provider}`, credentialsFile(env));
}
