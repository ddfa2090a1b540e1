import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { explain, explainBatchIn } from "../../../guard/explain.ts";
import { statsOf } from "../../../io/files/regular.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { BatchAnswer, Explanation, Queries } from "../../../protocol/query.ts";
import { builtinTools } from "../../../tools/builtin.ts";
import { createRegistry } from "../../../tools/registry.ts";
import { factsOf } from "../../program/machine.ts";
import { newContext } from "../../session/new-context.ts";
import type { Program } from "../../program/program.ts";
import type { QueryContext } from "./context.ts";

/** What this command would meet here and now: this machine's programs, this configuration, this session's mode. */
export async function explainOne({ program, running }: QueryContext, command: string): Promise<Explanation> {
  const assembly = await running();
  const context = assembly?.seen.context() ?? newContext(program);
  return explain(command, factsOf(program), context);
}

/** The fixed context of the batch: autonomy 2, privileged, sandbox present, empty allowlists, no taint. */
export async function explainMany(program: Program, args: Queries["gate.explainBatch"]): Promise<BatchAnswer[]> {
  const registry = createRegistry(builtinTools);
  const { items, root, resolve, containment } = args;
  const workspace = root === undefined ? program.workspace : folderOf(path.resolve(program.cwd, root));
  const addresses = resolve === undefined ? undefined : readAddresses(path.resolve(program.cwd, resolve));
  const toAction = (tool: string, input: Json) => registry.parse(tool, input);
  return explainBatchIn(items, { workspace, toAction, addresses, containment });
}

function folderOf(root: string): string {
  const real = existsSync(root) ? realpathSync(root) : root;
  if (statsOf(real)?.isDirectory()) return real;
  throw new Fault("explain.root", Exit.usage, `${root} is not a folder.`, "Give --root an existing folder.");
}

/** Hosts are compared as they are reached, however they are written in the file. */
function readAddresses(file: string): (host: string) => readonly string[] | undefined {
  const wrong = (why: string) =>
    new Fault(
      "explain.resolve",
      Exit.usage,
      `${file} cannot be used: ${why}.`,
      'Give --resolve a JSON object: {"host": ["address"]}.',
    );
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong("it holds no object");
  const addresses = new Map<string, readonly string[]>();
  for (const [host, given] of Object.entries(value)) {
    const list: unknown[] = Array.isArray(given) ? given : [given];
    if (!list.every((address) => typeof address === "string")) throw wrong(`${host} has no list of addresses`);
    const url = `http://${host}/`;
    const name = URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
    addresses.set(name.replace(/\.$/, ""), list);
  }
  return (host) => addresses.get(host);
}
