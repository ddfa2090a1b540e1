import { isA, withFallback } from "../../base/fallback.ts";
import { lineBatches, segmentFile, segmentNumbers } from "../../io/journal/lines.ts";
import type { AuditEntry, AuditFilter } from "../../protocol/query.ts";

/**
 * The entries that match, oldest first; with `limit`, the newest so many. Lines that do not parse are left out:
 * verifyLedger names them. `text` is looked for in the whole line, whatever its case.
 */
export async function* readEntries(folder: string, filter: AuditFilter): AsyncIterable<AuditEntry> {
  const numbers = segmentNumbers(folder);
  if (filter.limit === undefined) {
    for (const number of numbers) yield* matching(segmentFile(folder, number), filter);
    return;
  }
  yield* await newest(folder, numbers, filter, Math.max(0, filter.limit));
}

/** From the last segment back, so that the end of a long ledger is found at once. */
async function newest(folder: string, numbers: number[], filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  let found: AuditEntry[] = [];
  for (const number of numbers.toReversed()) {
    const wanted = limit - found.length;
    if (wanted === 0) break;
    const here: AuditEntry[] = [];
    for await (const entry of matching(segmentFile(folder, number), filter)) {
      here.push(entry);
      if (here.length > wanted * 2 + 100) here.splice(0, here.length - wanted);
    }
    found = [...here.slice(-wanted), ...found];
  }
  return found;
}

async function* matching(file: string, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  const text = filter.text?.toLowerCase();
  for (const batch of lineBatches(file)) {
    for (const line of batch) {
      const source = line.bytes.toString("utf8");
      if (text !== undefined && !source.toLowerCase().includes(text)) continue;
      const entry = parsed(source);
      if (entry && passes(entry, filter)) yield entry;
    }
    await pause();
  }
}

/** Lets others run between two batches. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const parsed = (source: string): AuditEntry | undefined =>
  withFallback(undefined, isA(SyntaxError), () => JSON.parse(source) as AuditEntry);

function passes(entry: AuditEntry, filter: AuditFilter): boolean {
  const at = Number(entry["at"]);
  if (filter.since !== undefined && at < filter.since) return false;
  if (filter.until !== undefined && at > filter.until) return false;
  if (filter.actor !== undefined && !actorsOf(entry).includes(filter.actor)) return false;
  return (["tool", "verdict", "risk", "session"] as const).every(
    (name) => filter[name] === undefined || entry[name] === filter[name],
  );
}

/** Who ran fettle, and who answered: the approver of an effect, the identity of a receipt. */
function actorsOf(entry: AuditEntry): unknown[] {
  const data = entry["data"];
  const by = typeof data === "object" && data !== null && !Array.isArray(data) ? data["by"] : undefined;
  return [entry["actor"], entry["approver"], by];
}
