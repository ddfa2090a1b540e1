import type { Client } from "../../../protocol/client.ts";
import type { StoredFact } from "../../../protocol/event.ts";

export const exportFormats: readonly string[] = ["md", "html", "jsonl"];

/** A stored session in that format, in lines. */
export async function exported(client: Client, session: string, format: string): Promise<string[]> {
  const lines = await client.read("session.export", { session });
  if (format === "jsonl") return lines;
  const head = await client.read("session.show", { session });
  const { readTurns } = await import("./turns.ts");
  const turns = readTurns(lines.map((line) => JSON.parse(line) as StoredFact));
  if (format === "html") return (await import("./html.ts")).asHtml(head, turns).trimEnd().split("\n");
  return (await import("./markdown.ts")).asMarkdown(head, turns).trimEnd().split("\n");
}
