import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Json } from "../../protocol/message.ts";
import type { ConfigValue } from "../../protocol/query.ts";
import type { Program } from "../program.ts";

export async function one(program: Program, key: string): Promise<ConfigValue> {
  const values = program.config().values();
  const found = values.find((value) => value.key === key);
  if (found) return found;
  const { nearest } = await import("../../io/config/spelling.ts");
  const near = nearest(
    key,
    values.map((value) => value.key),
  );
  throw new Fault(
    "config.unknown-key",
    Exit.usage,
    `There is no setting ${key}.`,
    near ? `Did you mean ${near}?` : "List them: fettle config show",
  );
}

export async function paths(program: Program): Promise<{ layer: string; path: string; exists: boolean }[]> {
  return program.config().paths;
}

export async function schema(): Promise<{ [key: string]: Json }> {
  const { configSchema } = await import("../../io/config/json-schema.ts");
  return configSchema();
}
