// Hook files that people already have for other agents, as far as fettle honours them (docs/guide/compatibility.md).
import { namePattern } from "../../base/name-pattern.ts";
import { decidingEvents, eventOf, matchedEvents, missingEvent } from "./hook-values.ts";
import { configFault } from "./layers.ts";
import type { HookSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";
import { configText } from "./text.ts";

export const hookAgents = ["claude", "gemini", "codex"] as const;
export type HookAgent = (typeof hookAgents)[number];

/** Of one hook in such a file. What has no effect here says why. */
export const hookFields: Readonly<Record<string, string | true>> = {
  type: true,
  command: true,
  timeout: true,
  async: true,
  description: true,
  name: "hooks are named after their file, so that none takes another's name",
  statusMessage: "what runs is told in fettle's own words",
  if: "the matcher alone says when a hook runs",
  once: "a hook runs each time",
  shell: "a hook runs in the shell of the sandbox",
};

export interface HookFile {
  agent: HookAgent;
  path: string;
  shown: string;
  origin: HookSettings["origin"];
  /** That it is of, and the folder which that lies in. */
  plugin?: { name: string; root: string };
}

export interface ReadHooks {
  hooks: HookSettings[];
  /** What of the file is not honoured, a sentence each. */
  notices: string[];
  /** The file switches all imported hooks off. */
  off: boolean;
}

const nothing: ReadHooks = { hooks: [], notices: [], off: false };

/**
 * Undefined entries of the file are left out with a notice. Throws a Fault for a broken file of the person's own: they
 * count on its hooks. One that a repository brings only gets a notice.
 */
export function readHookFile(file: HookFile): ReadHooks {
  const text = configText(file.path);
  return text === undefined ? nothing : readHooks(file, () => parsed(text));
}

/** `settings`: what such a file holds. */
export function readHooks(file: HookFile, settings: () => Record<string, unknown>): ReadHooks {
  try {
    return new Reading(file).read(settings());
  } catch (error) {
    if (!(error instanceof BrokenHooks)) throw error;
    const problem = `${file.shown}: ${error.message}`;
    if (file.origin === "project" || file.plugin)
      return { ...nothing, notices: [`${problem} None of its hooks is used.`] };
    throw configFault("hooks", problem, `Correct the file, or take ${file.agent} out of import.hooks.`);
  }
}

/** Beside the events of Gemini CLI. */
const switches = ["enabled", "disabled", "notifications"];

class BrokenHooks extends Error {
  override readonly name = "BrokenHooks";
}

class Reading {
  readonly #file: HookFile;
  readonly #hooks: HookSettings[] = [];
  readonly #notices: string[] = [];

  constructor(file: HookFile) {
    this.#file = file;
  }

  read(settings: Record<string, unknown>): ReadHooks {
    const hooks = settings["hooks"] ?? {};
    if (!isTable(hooks)) throw new BrokenHooks("hooks must be an object.");
    const gemini = this.#file.agent === "gemini";
    const general = gemini && isTable(settings["hooksConfig"]) ? settings["hooksConfig"] : {};
    for (const [event, groups] of Object.entries(hooks))
      if (!gemini || !switches.includes(event)) this.#event(event, groups);
    if (gemini && [hooks["disabled"], general["disabled"]].some((names) => Array.isArray(names) && names.length > 0))
      this.#leftOut("hooks.disabled", "hooks are switched off by taking them out of the file");
    const off =
      settings["disableAllHooks"] === true || (gemini && [hooks, general].some((each) => each["enabled"] === false));
    return { hooks: this.#hooks, notices: this.#notices, off };
  }

  #event(name: string, groups: unknown): void {
    if (!Array.isArray(groups)) throw new BrokenHooks(`hooks.${name} must be a list.`);
    const event = eventOf(name);
    if (!event) {
      if (groups.length > 0) this.#leftOut(`hooks.${name}`, missingEvent());
      return;
    }
    for (const [at, group] of groups.entries()) {
      const place = `hooks.${name}[${at}]`;
      if (!isTable(group) || !Array.isArray(group["hooks"])) throw new BrokenHooks(`${place} has no list of hooks.`);
      const matcher = group["matcher"] ?? "";
      if (typeof matcher !== "string" || !namePattern(matcher))
        throw new BrokenHooks(`${place}.matcher is no regular expression.`);
      for (const [index, hook] of group["hooks"].entries())
        this.#hook(hook, `${place}.hooks[${index}]`, { event, matcher });
    }
  }

  #hook(hook: unknown, place: string, { event, matcher }: Pick<HookSettings, "event"> & { matcher: string }): void {
    if (!isTable(hook)) throw new BrokenHooks(`${place} must be an object.`);
    const { type = "command", command, timeout = 30 } = hook;
    if (type !== "command")
      return this.#leftOut(place, `only hooks of the type command are run, not ${JSON.stringify(type)}`);
    if (typeof command !== "string" || command.trim() === "" || command.includes("\0"))
      throw new BrokenHooks(`${place} has no command.`);
    if (typeof timeout !== "number" || !(timeout > 0))
      throw new BrokenHooks(`${place}.timeout must be a number of seconds.`);
    for (const key of Object.keys(hook)) {
      const effect = Object.hasOwn(hookFields, key) ? hookFields[key] : "fettle does not know it";
      if (effect !== true) this.#leftOut(`${place}.${key}`, effect ?? "");
    }
    const about = matchedEvents.includes(event);
    const { agent, plugin } = this.#file;
    // Gemini CLI counts milliseconds.
    const seconds = agent === "gemini" && hook["timeout"] !== undefined ? timeout / 1_000 : timeout;
    this.#hooks.push({
      name: `${this.#file.origin === "user" ? "" : "project-"}${plugin?.name ?? agent}-${this.#hooks.length + 1}`,
      event,
      ...(about && matcher !== "" && { matcher }),
      command: plugin ? withPluginRoot(command, plugin.root) : command,
      ...(plugin && { root: plugin.root }),
      timeout_secs: Math.min(600, Math.max(1, Math.ceil(seconds))),
      home_read: false,
      hosts: [],
      deciding: decidingEvents.includes(event) && hook["async"] !== true,
      dialect: "claude",
      origin: this.#file.origin,
      place: `${this.#file.shown} ${place}`,
    });
  }

  #leftOut(place: string, why: string): void {
    this.#notices.push(`${this.#file.shown}: ${place} is not used: ${why}.`);
  }
}

/** The folder of a plugin, as its files name it. */
export const withPluginRoot = (text: string, root: string): string =>
  text.replace(/\$\{?(?:CLAUDE|FETTLE)_PLUGIN_ROOT\}?/g, root);

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BrokenHooks(`not valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!isTable(value)) throw new BrokenHooks("it holds no object.");
  return value;
}
