import { isA, withFallback } from "../../../base/fallback.ts";
import { Fault } from "../../../base/fault.ts";
import { type Config, type ConfigOptions, configFiles, loadConfig } from "../../../io/config/load.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { ConfigValue } from "../../../protocol/query.ts";
import { configOptions, type Program } from "../../program/program.ts";

/** What holds; while a file is broken, what holds without it, so that looking and mending go on. `problem` says what is broken. */
function readable(program: Program): { config: Config; problem?: Fault } {
  try {
    return { config: program.config() };
  } catch (problem) {
    if (!(problem instanceof Fault)) throw problem;
    const options = configOptions(program);
    for (const { path, layer } of configFiles(options)) {
      if (layer !== "user" && layer !== "project") continue;
      const config = configWithout(options, path);
      if (config) return { config, problem };
    }
    throw problem;
  }
}

const configWithout = (options: ConfigOptions, path: string): Config | undefined =>
  withFallback(undefined, isA(Fault), () => loadConfig({ ...options, instead: { path, text: "" } }));

export const all = async (program: Program): Promise<ConfigValue[]> => readable(program).config.values();

/** Why a file of the configuration is left out; null when all of them are sound. */
export async function problem(program: Program): Promise<string | null> {
  const { problem: found } = readable(program);
  return found ? `${found.message} ${found.remedy ?? ""}`.trim() : null;
}

export async function one(program: Program, key: string): Promise<ConfigValue> {
  const found = readable(program).config.value(key);
  if (found) return found;
  const [{ unknownKey }, { findKey, keyPath }] = await Promise.all([
    import("../../../io/config/layers.ts"),
    import("../../../io/config/keys.ts"),
  ]);
  const words = keyPath(key) ?? [key];
  if (findKey(words))
    throw new Fault("config.unset", Exit.usage, `${key} is not set.`, `Set it: fettle config set '${key}' VALUE`);
  throw unknownKey(words, "config get");
}

/** Told also when one of them is broken: whoever mends it has to find it. */
export async function paths(program: Program): Promise<{ layer: string; path: string; exists: boolean }[]> {
  const { isLink, statsOf } = await import("../../../io/files/regular.ts");
  return configFiles(program).map((file) => ({
    ...file,
    exists: statsOf(file.path) !== undefined || isLink(file.path),
  }));
}

export async function schema(): Promise<{ [key: string]: Json }> {
  const { configSchema } = await import("../../../io/config/json-schema.ts");
  return configSchema();
}
