import { explain, explainBatch } from "../../guard/explain.ts";
import type { BatchAnswer, BatchItem, Explanation } from "../../protocol/query.ts";
import { builtinTools } from "../../tools/builtin.ts";
import { createRegistry } from "../../tools/registry.ts";
import { factsOf, sandboxOf } from "../machine.ts";
import type { Program } from "../program.ts";
import type { QueryContext } from "./context.ts";
import { newSessionContext } from "../session-facts.ts";

/** What this command would meet here and now: this machine's programs, this configuration, this session's mode. */
export async function explainOne({ program, running }: QueryContext, command: string): Promise<Explanation> {
  const assembly = await running();
  const context = assembly?.seen.context() ?? newSessionContext(program.config(), sandboxOf(program).name !== "none");
  return explain(command, factsOf(program), context);
}

/** The fixed context of the batch: autonomy 2, privileged, sandbox present, empty allowlists, no taint. */
export async function explainMany(program: Program, items: BatchItem[]): Promise<BatchAnswer[]> {
  const registry = createRegistry(builtinTools);
  return explainBatch(items, program.workspace, (tool, input) => registry.parse(tool, input));
}
