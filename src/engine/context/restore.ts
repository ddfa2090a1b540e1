// The files that the left-out messages were about, read again as they are now, through the gate.
import type { Gate } from "../../guard/gate.ts";
import { bytesOf } from "../../model/contract/size.ts";
import type { Json, Message, Part } from "../../protocol/message.ts";
import type { Registry } from "../../tools/registry.ts";
import type { Report } from "../../tools/tool.ts";
import { clipped } from "./masking.ts";
import { bytesPerToken, type WindowLimits } from "./window.ts";

/** Nobody needs more of them at once. */
const mostFiles = 12;
const changing: ReadonlySet<string> = new Set(["edit", "write", "apply_patch"]);

/** Read or changed in what goes and not read since, the most recent first; what was changed before what was only read. */
export function filesToRestore(shown: readonly Message[], cut: number): string[] {
  const fresh = new Set(pathsOf(shown.slice(cut)).map(({ path }) => path));
  const old = pathsOf(shown.slice(0, cut)).toReversed();
  const ordered = [...old.filter(({ changed }) => changed), ...old].map(({ path }) => path);
  return [...new Set(ordered)].filter((path) => !fresh.has(path)).slice(0, mostFiles);
}

function pathsOf(messages: readonly Message[]): { path: string; changed: boolean }[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => {
      if (block.type !== "call") return [];
      const changed = changing.has(block.name);
      if (!changed && block.name !== "read") return [];
      return namedPaths(block.input).map((path) => ({ path, changed }));
    });
  });
}

function namedPaths(input: Json): string[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  const { path, file_path: other, patch } = input;
  const named = [path, other].filter((each): each is string => typeof each === "string" && !each.startsWith("spill:"));
  if (typeof patch !== "string") return named;
  return [
    ...named,
    ...[...patch.matchAll(/^\*\*\* (?:Update|Add) File: (.+)$/gm)].map(([, file]) => (file ?? "").trim()),
  ];
}

interface RestoreParts {
  gate: Gate;
  registry: Registry;
  signal: AbortSignal;
  /** Makes ids of calls that no other has. */
  seq: number;
}

/** Those that may be read unasked, within the budget. What is not there any more is left out. */
export async function restoreFiles(
  paths: readonly string[],
  budget: WindowLimits["files"],
  { gate, registry, signal, seq }: RestoreParts,
): Promise<{ parts: Part[]; paths: string[] }> {
  const parts: Part[] = [];
  const found: string[] = [];
  let room = budget.all * bytesPerToken;
  for (const [number, path] of paths.entries()) {
    if (signal.aborted || room < 1_000) break;
    const parsed = registry.parse("read", { path });
    if ("problem" in parsed) continue;
    const id = `again-${seq}-${number}`;
    const prepared = gate.prepare({ id, tool: "read", action: parsed.action, origin: "fettle" });
    if (prepared.decision.verdict !== "allow") continue;
    const run = { signal, ...silent };
    const result = await gate.perform(prepared, (grant) => parsed.tool.run(parsed.input as never, grant, run), signal);
    if (result.status !== "done") continue;
    const text = result.parts.filter((part) => part.type === "text");
    const most = Math.min(room, budget.each * bytesPerToken);
    const message = { type: "result" as const, call: id, name: "read", failed: false, parts: text };
    const [cut] = clipped({ role: "tool", content: [message] }, most).content;
    if (!cut) continue;
    room -= bytesOf(cut);
    parts.push(...cut.parts);
    found.push(path);
  }
  return { parts, paths: found };
}

/** A file that is read says nothing besides. */
const silent: Omit<Report, "signal"> = {
  output: () => undefined,
  todo: () => undefined,
  ask: () => Promise.resolve(undefined),
  recall: () => Promise.resolve(""),
};
