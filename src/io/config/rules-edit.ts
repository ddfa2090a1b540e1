// Adds rules to the end of a person's own configuration file; what stands there is not touched.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { writeAtomic } from "../files/bytes.ts";
import { makePrivateFolder } from "../places/places.ts";
import { configFault, tomlEntriesOf } from "./layers.ts";
import { configFiles, type ConfigOptions } from "./load.ts";

export interface NewRule {
  readonly comment: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly match: readonly string[];
}

export interface RulesEdit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

type Where = Pick<ConfigOptions, "workspace" | "places" | "env">;

const list = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;

export const ruleText = ({ comment, program, args, match }: NewRule): string =>
  [
    ...comment.split("\n").map((line) => `# ${line}`),
    "[[rules]]",
    'action = "allow"',
    `program = ${JSON.stringify(program)}`,
    `args = ${list(args)}`,
    `match = ${list(match)}`,
    "",
  ].join("\n");

/** What the file would be. Throws a Fault when the file is broken now or would be then. */
export function withRules(options: Where, rules: readonly NewRule[]): RulesEdit {
  const file = configFiles(options).find(({ layer }) => layer === "user")?.path ?? "";
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  tomlEntriesOf(before, file);
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = rules.length === 0 ? before : `${before}${gap}${rules.map(ruleText).join("\n")}`;
  tomlEntriesOf(after, file);
  const [old, fresh] = [parse(before), parse(after)];
  const kept = Array.isArray(fresh["rules"]) ? fresh["rules"].slice(0, rulesOf(old).length) : [];
  if (!isDeepStrictEqual({ ...old, rules: rulesOf(old) }, { ...fresh, rules: kept }))
    throw configFault("edit", `${file}: rules cannot be added at its end.`, "Write them into the file by hand.");
  return { file, before, after };
}

const rulesOf = (table: Record<string, unknown>): unknown[] => {
  const { rules } = table;
  return Array.isArray(rules) ? rules : [];
};

export async function writeRules({ file, after }: RulesEdit): Promise<void> {
  const target = existsSync(file) ? realpathSync(file) : file;
  makePrivateFolder(path.dirname(target));
  await writeAtomic(target, after, { root: path.dirname(target) });
}
