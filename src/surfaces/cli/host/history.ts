import type { Client } from "../../../protocol/client.ts";
import type { StoredFact } from "../../../protocol/event.ts";

/** Facts count from 1 without gaps: events after this number are news. */
export async function factCount(client: Client, session: string): Promise<number> {
  return (await client.read("session.export", { session })).length;
}

export async function factsOf(client: Client, session: string): Promise<StoredFact[]> {
  const lines = await client.read("session.export", { session });
  return lines.map((line) => JSON.parse(line) as StoredFact);
}
