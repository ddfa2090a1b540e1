// What there is on this machine that a session needs, and what is missing.
import type { KeyRow, ModelRow } from "../../../../protocol/models.ts";
import type { Check } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { modeName } from "../../host/flags.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { wrap } from "../../text/width.ts";
import { priceText } from "../models/list.ts";
import { renderChecks } from "../doctor.ts";
import { type Examples, renderExamples } from "./autonomy.ts";
import { sandboxChecks } from "./sandbox.ts";
import { words } from "./words.ts";

interface Found {
  /** Whether a session can begin. */
  ready: boolean;
  models: ModelRow[];
  keys: KeyRow[];
  checks: Check[];
  autonomy: { level: number; examples: Examples };
  /** `model`, or the check that fails. */
  missing: string[];
}

/** Those that can be asked as they stand. */
export const readyModels = (rows: readonly ModelRow[]): ModelRow[] =>
  rows.filter(({ status, model }) => status === "ready" && model.includes("/"));

export function priceOf({ local, card }: ModelRow): string {
  const price = card?.price ?? null;
  const paid = price !== null && price.input + price.output > 0;
  return local && !paid ? words.free : priceText(price);
}

export const found = (context: Context): Promise<Found> =>
  context.with({ headless: true }, async (client) => {
    const rows = readyModels(await client.read("models.list", {}));
    const checks = await client.read("doctor.check", {});
    const level = Number((await client.read("config.get", { key: "autonomy.level" })).value);
    const failed = checks.filter(({ status, name }) => status === "error" && name !== "models");
    return {
      ready: rows.length > 0 && failed.length === 0,
      models: rows,
      keys: await client.read("login.keys", {}),
      checks: checks.filter(({ name }) => sandboxChecks.includes(name)),
      autonomy: { level, examples: await client.read("gate.examples", {}) },
      missing: [
        ...(rows.length > 0 ? [] : ["model"]),
        ...failed.map(({ name, detail, remedy }) => [`${name}: ${detail}`, remedy ?? ""].join(" ").trim()),
      ],
    };
  });

export function renderFound({ models, keys, checks, autonomy, missing }: Found, look: Look): string[] {
  const { style, width } = look;
  const lost = missing.length > 0 ? missing : [words.missingNothing];
  const lostText = (line: string) => (line === "model" ? words.missingModel : line);
  return [
    style.bold(words.titles.models),
    ...(models.length === 0 ? wrap(words.noneFound, width - 2).map((line) => `  ${line}`) : []),
    ...models.map((row) => `  ${safeLine(row.model)}  ${style.dim(priceOf(row))}`),
    ...keys.filter(({ from }) => from !== "none").map((key) => `  ${style.dim(keyText(key))}`),
    "",
    style.bold(words.titles.sandbox),
    ...renderChecks(checks, look),
    "",
    style.bold(`${words.titles.autonomy}: ${modeName((autonomy.level as 0) ?? 2, "none")}`),
    ...renderExamples(autonomy.examples, look),
    "",
    style.bold(words.missing),
    ...lost.flatMap((line) => wrap(safeLine(lostText(line)), width - 2)).map((line) => `  ${line}`),
  ];
}

export const keyText = ({ provider, from, variable = "" }: KeyRow): string =>
  `${safeLine(provider)}: ${from === "environment" ? words.keyIn(safeLine(variable)) : from === "stored" ? words.keyStored : words.noKey}`;
