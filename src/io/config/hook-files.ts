// Hook files that people already have: Claude Code's settings, as far as fettle honours them (docs/guide/hooks.md).
import { namePattern } from "../../base/name-pattern.ts";
import { decidingEvents, eventOf, matchedEvents, missingEvent } from "./hook-values.ts";
import { configFault } from "./layers.ts";
import type { HookSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";
import { configText } from "./text.ts";

export interface HookFile {
  path: string;
  shown: string;
  origin: HookSettings["origin"];
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
  if (text === undefined) return nothing;
  try {
    return new Reading(file).read(text);
  } catch (error) {
    if (!(error instanceof BrokenHooks)) throw error;
    const problem = `${file.shown}: ${error.message}`;
    if (file.origin === "project") return { ...nothing, notices: [`${problem} None of its hooks is used.`] };
    throw configFault("hooks", problem, "Correct the file, or take claude out of import.hooks.");
  }
}

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

  read(text: string): ReadHooks {
    const settings = parsed(text);
    const hooks = settings["hooks"] ?? {};
    if (!isTable(hooks)) throw new BrokenHooks("hooks must be an object.");
    for (const [event, groups] of Object.entries(hooks)) this.#event(event, groups);
    return { hooks: this.#hooks, notices: this.#notices, off: settings["disableAllHooks"] === true };
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
    const about = matchedEvents.includes(event);
    this.#hooks.push({
      name: `${this.#file.origin === "user" ? "claude" : "project-claude"}-${this.#hooks.length + 1}`,
      event,
      ...(about && matcher !== "" && { matcher }),
      command,
      timeout_secs: Math.min(600, Math.max(1, Math.ceil(timeout))),
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
