// Changes one value in a configuration file and nothing else: comments, order and layout stay.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isA, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../protocol/message.ts";
import { writeAtomic } from "../files/bytes.ts";
import { makePrivateFolder } from "../places/places.ts";
import { findKey, type Key, keyPath, keys, keyText } from "./keys.ts";
import { configFault, tomlEntriesOf, unknownKey } from "./layers.ts";
import { configFiles, type ConfigOptions, loadConfig } from "./load.ts";
import { tightens } from "./merge.ts";
import { refuseSecret } from "./secret-values.ts";
import { defaultSettings } from "./settings.ts";
import { type TomlEntry, tomlEntries } from "./toml-lines.ts";
import { fromText, misfit } from "./values.ts";

type Where = Pick<ConfigOptions, "workspace" | "places" | "env">;

interface SetOptions extends Where {
  layer: "user" | "project";
  /** `section.key`, as `config show` prints it. */
  key: string;
  /** As typed; the key's kind says what it means. */
  value: string;
  /** What is set in the same step, because the one is broken without the other. */
  also?: readonly { key: string; value: string }[];
  /** True: all of the configuration is read as it would be, too; else this file alone, because further values may follow. */
  whole?: boolean;
}

/** Writes the value and answers with the file. Throws a Fault, leaving the file as it was, when the outcome would be broken. */
export async function setValue(options: SetOptions): Promise<{ file: string; value: Json }> {
  const wanted = [options, ...(options.also ?? [])].map((each) => checkedValue({ ...options, ...each }));
  const file = configFiles(options).find(({ layer }) => layer === options.layer)?.path ?? "";
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (!isToml(before))
    throw problemOf(options, file, before) ?? configFault("edit", `${file} cannot be read.`, "Edit the file by hand.");
  let after = before;
  for (const { path: words, value } of wanted) {
    const next = withValue(after, words, value);
    if (!differsOnlyAt(after, next, words, value))
      throw configFault("edit", `${file}: ${keyText(words)} cannot be changed in place.`, "Edit the file by hand.");
    after = next;
  }
  if (options.whole) refuseBroken(options, file, { before, after });
  else tomlEntriesOf(after, file);
  const target = options.layer === "user" && existsSync(file) ? realpathSync(file) : file;
  if (options.layer === "user") makePrivateFolder(path.dirname(target));
  await writeAtomic(target, after, { root: options.layer === "user" ? path.dirname(target) : options.workspace });
  return { file, value: wanted[0]?.value ?? null };
}

/** Takes a value, or a section with all that is in it, out of the file. Throws a Fault, leaving the file as it was, when it is not there. */
export async function unsetValue(
  options: Where & { layer: "user" | "project"; key: string },
): Promise<{ file: string }> {
  const words = keyPath(options.key) ?? [options.key];
  const file = configFiles(options).find(({ layer }) => layer === options.layer)?.path ?? "";
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const after = withoutValue(before, words);
  if (after === before) throw notThere(options, file, words);
  const left = isToml(after) && isToml(before) ? parse(before) : undefined;
  if (left) take(left, words);
  if (!left || !isDeepStrictEqual(withoutEmpty(left), withoutEmpty(parse(after))))
    throw configFault("edit", `${file}: ${keyText(words)} cannot be removed in place.`, "Edit the file by hand.");
  refuseBroken(options, file, { before, after });
  const target = options.layer === "user" ? realpathSync(file) : file;
  await writeAtomic(target, after, { root: options.layer === "user" ? path.dirname(target) : options.workspace });
  return { file };
}

/** Lines of the entries at or below `words` go, with the comments on them; headers of theirs, too. */
function withoutValue(text: string, words: readonly string[]): string {
  const isOwn = ({ path: at }: TomlEntry) => isDeepStrictEqual(at.slice(0, words.length), words);
  return tomlEntries(text)
    .filter(isOwn)
    .toReversed()
    .reduce((kept, { start, end }) => {
      const from = kept.lastIndexOf("\n", start - 1) + 1;
      const to = kept.indexOf("\n", end);
      return kept.slice(0, from) + (to < 0 ? "" : kept.slice(to + 1));
    }, text);
}

/** Tables with nothing in them say nothing. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const rest = withoutEmpty(inner);
    const empty = typeof rest === "object" && rest !== null && !Array.isArray(rest) && Object.keys(rest).length === 0;
    return empty ? [] : [[name, rest] as const];
  });
  return Object.fromEntries(kept);
}

function notThere(options: Where & { layer: "user" | "project" }, file: string, words: readonly string[]): Fault {
  const other = configFiles(options).find(
    ({ layer, path: at }) =>
      layer !== options.layer &&
      (layer === "user" || layer === "project") &&
      existsSync(at) &&
      withoutValue(readFileSync(at, "utf8"), words) !== readFileSync(at, "utf8"),
  );
  const key = keyText(words);
  if (other)
    return configFault(
      "unset",
      `${key} is not set in ${file}, but in ${other.path}.`,
      other.layer === "project" ? `fettle config unset --project ${key}` : `fettle config unset ${key}`,
    );
  if (!findKey(words) && namesNothing(words)) return unknownKey(words, "config unset");
  return configFault("unset", `${key} is not set in ${file}.`, `Where it comes from: fettle config show ${key}`);
}

/** Whether no key and no section has that name. */
const namesNothing = (words: readonly string[]): boolean =>
  !keys.some((key) => words.every((word, at) => key.path[at] === "*" || key.path[at] === word));

/** All of the configuration is read as it would be. What is broken already, and stays as it is, keeps nobody from setting another value. */
function refuseBroken(where: Where, file: string, { before, after }: { before: string; after: string }): void {
  const broken = problemOf(where, file, after);
  if (!broken) return;
  if (problemOf(where, file, before)?.message !== broken.message) throw broken;
}

const isToml = (text: string): boolean =>
  withFallback(false, isA(Error), () => {
    parse(text);
    return true;
  });

function problemOf({ workspace, places, env }: Where, file: string, text: string): Fault | undefined {
  try {
    loadConfig({ workspace, places, env, flags: {}, instead: { path: file, text } });
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function checkedValue(options: SetOptions): { path: string[]; key: Key; value: Json } {
  const words = keyPath(options.key) ?? [options.key];
  const key = findKey(words);
  if (!key) throw unknownKey(words, "config set");
  if (key.kind.type === "hooks")
    throw configFault("edit", "Hooks are written in the file itself.", "See `fettle config path`.");
  if (key.kind.type === "rules")
    throw configFault("edit", "Rules are written in the file itself.", "See `fettle config path`.");
  const value = fromText(key.kind, options.value);
  refuseSecret(words, value, () => "config set");
  const problem = misfit(key, value);
  if (problem) throw configFault("value", `${options.key} ${problem}.`);
  if (options.layer === "project" && !tightens({ key, value }, defaultOf(words))) {
    throw configFault(
      "untrusted",
      `${options.key} = ${options.value} in the project would not be applied: a repository's configuration may only tighten.`,
      `Set it for yourself: \`fettle config set ${options.key} ${options.value}\`.`,
    );
  }
  return { path: words, key, value };
}

function defaultOf(words: readonly string[]): unknown {
  let at: unknown = defaultSettings();
  for (const word of words)
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[word] : undefined;
  return at;
}

/** The text with `path` set to `value`, at the place where a person would have put it. */
export function withValue(text: string, path: readonly string[], value: Json): string {
  const entries = tomlEntries(text);
  const own = entries.find((entry) => entry.kind === "value" && isDeepStrictEqual(entry.path, path));
  if (own) return text.slice(0, own.start) + toml(value) + text.slice(own.end);
  const section = path.slice(0, -1);
  const line = `${keyText(path.slice(-1))} = ${toml(value)}`;
  const at = endOfSection(text, entries, section);
  if (at !== undefined) return `${text.slice(0, at)}\n${line}${text.slice(at)}`;
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}[${keyText(section)}]\n${line}\n`;
}

/** Offset of the end of the last line that belongs to `[section]`; undefined when there is no such header. */
function endOfSection(text: string, entries: readonly TomlEntry[], section: readonly string[]): number | undefined {
  const header = entries.findIndex((entry) => entry.kind === "table" && isDeepStrictEqual(entry.path, section));
  if (header < 0) return undefined;
  const next = entries.findIndex((entry, at) => at > header && entry.kind === "table");
  const last = entries[(next < 0 ? entries.length : next) - 1];
  const end = text.indexOf("\n", last?.end ?? 0);
  return end < 0 ? text.length : end;
}

const toml = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([word, inner]) => `${keyText([word])} = ${toml(inner)}`)
    .join(", ")} }`;
};

function differsOnlyAt(before: string, after: string, path: readonly string[], value: Json): boolean {
  const [old, fresh] = [parse(before), parse(after)];
  const found = take(fresh, path);
  take(old, path);
  // The tables of the parser have no prototype.
  return isDeepStrictEqual(structuredClone(found), value) && isDeepStrictEqual(old, fresh);
}

/** Removes the value at `path`, and tables that are empty then, and answers it. */
function take(table: Record<string, unknown>, [word = "", ...rest]: readonly string[]): unknown {
  const inner = table[word];
  if (rest.length === 0) {
    delete table[word];
    return inner;
  }
  if (typeof inner !== "object" || inner === null) return undefined;
  const found = take(inner as Record<string, unknown>, rest);
  if (Object.keys(inner).length === 0) delete table[word];
  return found;
}
