// Which levels of effort a model knows, by its vendor and name. Data, as the vendors document it.
import type { ProviderType } from "../../io/config/settings.ts";
import type { Effort } from "../../protocol/effort.ts";
import { efforts } from "../../protocol/efforts.ts";

type Levels = readonly Effort[];

interface Row {
  /** Of the model's name without what stands before its last slash; the first row that fits holds. */
  model: RegExp;
  levels: Levels;
}

const usual: Levels = ["low", "medium", "high"];
const switchable: Levels = ["off", ...usual];

const anthropic: readonly Row[] = [
  { model: /^claude-((opus|sonnet)-5[-.]5|fable-5)/, levels: [...usual, "xhigh", "max"] },
  { model: /^claude-((opus|sonnet|haiku)-5|opus-4[-.][78])/, levels: [...switchable, "xhigh", "max"] },
  { model: /^claude-(opus|sonnet)-4[-.]6/, levels: [...switchable, "max"] },
  { model: /^claude-((opus|sonnet|haiku)-4|3[-.]7)/, levels: switchable },
  { model: /^claude-/, levels: [] },
];

const openai: readonly Row[] = [
  { model: /^(gpt-\d+(\.\d+)?-chat|o1-mini|o1-preview)/, levels: [] },
  { model: /^o\d/, levels: usual },
  { model: /^gpt-oss/, levels: usual },
  { model: /^gpt-5-pro/, levels: ["high"] },
  { model: /^gpt-5-codex/, levels: usual },
  { model: /^gpt-5(-|$)/, levels: ["minimal", ...usual] },
  { model: /^gpt-5\.1-codex-max/, levels: [...usual, "xhigh"] },
  { model: /^gpt-5\.1-codex/, levels: usual },
  { model: /^gpt-5\.1/, levels: switchable },
  { model: /^gpt-5\.[2-5]-pro/, levels: ["medium", "high", "xhigh"] },
  { model: /^gpt-5\.[2-5]-codex/, levels: [...usual, "xhigh"] },
  { model: /^gpt-5\.[2-5]/, levels: [...switchable, "xhigh"] },
  { model: /^gpt-5\.\d/, levels: [...switchable, "xhigh", "max"] },
  { model: /^gpt-([6-9]|\d\d)/, levels: [...usual, "xhigh", "max"] },
  { model: /^gpt-[1-4]/, levels: [] },
];

const google: readonly Row[] = [
  { model: /^gemini-2\.5-pro/, levels: usual },
  { model: /^gemini-2\.5-flash/, levels: switchable },
  { model: /^gemini-(1|2\.0)/, levels: [] },
  { model: /^gemini-[3-9].*flash/, levels: ["minimal", ...usual] },
  { model: /^gemini-[3-9]/, levels: usual },
];

const byType: Partial<Record<ProviderType, readonly Row[]>> = {
  anthropic,
  openai,
  google,
  "openai-compatible": [...openai, ...google, ...anthropic],
};

interface EffortSubject {
  type: ProviderType;
  /** As the provider calls it. */
  model: string;
  /** Where it is asked. */
  baseUrl: string;
  /** What its card says. */
  reasoning: boolean;
}

const bareName = (model: string): string => model.slice(model.lastIndexOf("/") + 1).replace(/:free$/, "");

/** Of a server that offers the models of many; each has a form of its own to turn reasoning off. */
export type ServerKind = "openrouter" | "together" | "other";

export function serverKind(baseUrl: string): ServerKind {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  if (/(^|\.)openrouter\.ai$/.test(host)) return "openrouter";
  return /(^|\.)together\.(xyz|ai)$/.test(host) ? "together" : "other";
}

/** Empty for a model that is not known to reason: nothing is asked of it then. */
export function effortsOf({ type, model, baseUrl, reasoning }: EffortSubject): Levels {
  if (type === "recorded" || !reasoning) return [];
  const name = bareName(model);
  if (type === "ollama") return /^gpt-oss/.test(name) ? usual : switchable;
  const row = byType[type]?.find((each) => each.model.test(name));
  if (type !== "openai-compatible") return row?.levels ?? usual;
  const kind = serverKind(baseUrl);
  // What reasons by default on such a server can be turned off there.
  if (kind === "openrouter") return row?.levels.includes("off") === false ? row.levels : switchable;
  if (row) return row.levels;
  return kind === "together" || /^qwen-?3/i.test(name) ? switchable : usual;
}

/** The nearest level that is known, the lower one of two; undefined where none is. */
export function fittingEffort(wanted: Effort, known: Levels): Effort | undefined {
  const at = efforts.indexOf(wanted);
  const distance = (level: Effort): number => Math.abs(efforts.indexOf(level) - at);
  return known.reduce<Effort | undefined>(
    (best, level) => (best === undefined || distance(level) < distance(best) ? level : best),
    undefined,
  );
}

/** Claude models that decide by themselves how long they think, and take a level; the others take a number of tokens. */
export const thinksAdaptively = (model: string): boolean =>
  /claude-((opus|sonnet)-4[-.][6-9]|(opus|sonnet|haiku|fable)-[5-9])/.test(model);

/** Gemini models that take a level; the others take a number of tokens. */
export const takesThinkingLevel = (model: string): boolean => /gemini-[3-9]/.test(model);

/** Tokens of thinking, for models that take a number. */
export const thinkingTokens: Readonly<Record<Exclude<Effort, "off">, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
