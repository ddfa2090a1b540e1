// What every scan reads: texts of a batch, and standard input as a whole.
import type { TextItem } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { lineProblems, isItemId, type Line } from "../../host/batch.ts";

/** Standard input where the paths name it by `-`. */
export async function inputOf(context: Context, paths: readonly string[]): Promise<{ input?: string }> {
  return paths.includes("-") ? { input: await wholeText(context.host.stdin) } : {};
}

async function wholeText(stream: NodeJS.ReadableStream): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for await (const chunk of stream)
    pieces.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
  return pieces.join("") + decoder.decode();
}

export function textItem({ id, text }: Record<string, unknown>): Line<TextItem> {
  if (!isItemId(id)) return { problem: lineProblems.badId };
  return typeof text === "string" ? { item: { id, text } } : { problem: lineProblems.notText("text") };
}
