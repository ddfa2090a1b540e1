// Which providers there are: the built-in ones, the environment's and the configuration's. Data, then one merge.
import { classifyHost } from "../../base/address.ts";
import { entryOf } from "../../base/entry.ts";
import type { ProviderSettings, ProviderType, Settings } from "../../io/config/settings.ts";
import providers from "../../../assets/providers.json" with { type: "json" };

/** `here`: on this machine, or where a person says that it counts as that. `network`: on another one of a private network. */
type Nearness = "here" | "network" | "away";

export interface Endpoint {
  name: string;
  type: ProviderType;
  baseUrl: string;
  near: Nearness;
  /** Environment variables that may hold the key, first one first. */
  keyVariables: string[];
  /** True when it cannot work without a key. */
  needsKey: boolean;
  /** Set by a person, in the environment or the configuration, as opposed to just being known. */
  chosen: boolean;
  defaultModel: string | undefined;
  settings: Partial<ProviderSettings>;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface BuiltIn {
  type: ProviderType;
  baseUrl: string;
  keys: string[];
  baseUrlVariable?: string;
  modelVariable: string;
  defaultModel?: string;
}

/** In the order in which a key in the environment makes one the default. */
const builtIns = providers as Record<string, BuiltIn>;

const typeDefaults: Record<ProviderType, { baseUrl: string; needsKey: boolean }> = {
  openai: { baseUrl: "https://api.openai.com/v1", needsKey: true },
  anthropic: { baseUrl: "https://api.anthropic.com/v1", needsKey: true },
  google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta", needsKey: true },
  "openai-compatible": { baseUrl: "", needsKey: false },
  ollama: { baseUrl: "http://127.0.0.1:11434", needsKey: false },
  recorded: { baseUrl: "http://127.0.0.1", needsKey: false },
};

/** Every provider by name; those of the configuration first, in its order. */
export function endpoints(settings: Pick<Settings, "providers" | "model">, env: Environment): Map<string, Endpoint> {
  const found = new Map<string, Endpoint>();
  const { local_hosts: local } = settings.model;
  const keep = (endpoint: Omit<Endpoint, "near">) =>
    found.set(endpoint.name, { ...endpoint, near: nearness(endpoint.baseUrl, local) });
  for (const [name, own] of Object.entries(settings.providers)) keep(configured(name, own, env));
  for (const [name, known] of Object.entries(builtIns)) {
    if (!found.has(name)) keep(builtIn(name, known, env));
  }
  return found;
}

/** As URLs spell hosts, so that no spelling of the same one is missed. */
const spelledHost = (host: string): string => {
  const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}/`;
  return URL.canParse(url) ? new URL(url).hostname : host;
};

/** Beside loopback an address counts as local only where a person has named its host. */
export function nearness(baseUrl: string, localHosts: readonly string[]): Nearness {
  if (!URL.canParse(baseUrl)) return "away";
  const { hostname } = new URL(baseUrl);
  const place = classifyHost(hostname);
  if (place === "loopback" || localHosts.some((host) => spelledHost(host.trim()) === hostname)) return "here";
  return place === "private" || place === "link-local" ? "network" : "away";
}

function builtIn(name: string, known: BuiltIn, env: Environment): Omit<Endpoint, "near"> {
  const asked = known.baseUrlVariable ? env[known.baseUrlVariable]?.trim() : undefined;
  const baseUrl = asked ? spelledUrl(known.type, asked) : known.baseUrl;
  // Elsewhere than at the vendor's, the chat-completions format is what servers share.
  const type = name === "openai" && hostOf(baseUrl) !== hostOf(known.baseUrl) ? "openai-compatible" : known.type;
  const hasKey = known.keys.some((variable) => env[variable]);
  const needsKey = type !== "ollama" && !(type === "openai-compatible" && asked);
  return {
    name,
    type,
    baseUrl,
    keyVariables: known.keys,
    needsKey,
    chosen: hasKey || Boolean(asked),
    defaultModel: env[known.modelVariable]?.trim() || known.defaultModel,
    settings: {},
  };
}

function configured(name: string, own: ProviderSettings, env: Environment): Omit<Endpoint, "near"> {
  const known = entryOf(builtIns, name);
  const defaults = typeDefaults[own.type];
  const variable = known?.type === own.type && known.baseUrlVariable ? env[known.baseUrlVariable] : undefined;
  const fallback = known?.type === own.type ? known.baseUrl : defaults.baseUrl;
  const sameVendor = Object.values(builtIns).find(
    (each) => each.type === own.type && each.type !== "openai-compatible",
  );
  const keys = own.api_key_env ? [own.api_key_env] : (known?.keys ?? (own.base_url ? [] : (sameVendor?.keys ?? [])));
  return {
    name,
    type: own.type,
    baseUrl: spelledUrl(own.type, own.base_url ?? variable ?? fallback),
    keyVariables: keys,
    needsKey: own.api_key_env !== undefined || (defaults.needsKey && !own.base_url) || known?.keys.length === 1,
    chosen: true,
    defaultModel: own.default_model ?? (known ? env[known.modelVariable] || known.defaultModel : undefined),
    settings: own,
  };
}

/** As the adapters want it: with a scheme, without a final slash, with the version that the vendor's path has. */
function spelledUrl(type: ProviderType, given: string): string {
  if (type === "ollama") return ollamaUrl(given);
  const url = given.replace(/\/+$/, "");
  // ANTHROPIC_BASE_URL is usually given without the version.
  return type === "anthropic" && URL.canParse(url) && new URL(url).pathname === "/" ? `${url}/v1` : url;
}

/** OLLAMA_HOST may be a host, host:port or URL, and is what a server listens on: 0.0.0.0 means here. */
function ollamaUrl(given: string): string {
  const text = given.trim();
  const spelled = /^https?:\/\//.test(text) ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`;
  if (!URL.canParse(spelled)) return given;
  const url = new URL(spelled);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (!url.port && !/^https?:\/\//.test(text)) url.port = "11434";
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "")}`;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
