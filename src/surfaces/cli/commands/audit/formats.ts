// Ledger entries in other people's formats. What a format has no place for goes into `unmapped`, never away.
import type { Json } from "../../../../protocol/message.ts";
import type { AuditEntry } from "../../../../protocol/query.ts";

const columns = [
  "seq",
  "at",
  "kind",
  "actor",
  "session",
  "turn",
  "call",
  "tool",
  "origin",
  "risk",
  "verdict",
  "rule",
  "approver",
  "sandboxed",
  "status",
  "ms",
  "cost",
  "effects",
  "name",
  "data",
  "arguments",
  "result",
  "of",
  "hash",
] as const;

export const csvHead = columns.join(",");

/** RFC 4180; a cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvLine = (entry: AuditEntry): string => columns.map((name) => cell(name, entry[name])).join(",");

function cell(name: string, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text =
    name === "at"
      ? new Date(Number(value)).toISOString()
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  const inert = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** OCSF 1.3, class API Activity (6003): `activity_id` 1 create, 2 read, 3 update, 4 delete, 99 other. */
export function ocsfEvent(entry: AuditEntry): Json {
  const effects = effectsOf(entry);
  const activity = activityOf(effects.map(({ kind }) => kind));
  const denied = entry["kind"] === "effect.denied";
  const { seq, at, actor, tool, kind, name, session, hash, risk, ...unmapped } = entry;
  return {
    category_uid: 6,
    class_uid: 6003,
    class_name: "API Activity",
    activity_id: activity,
    type_uid: 6003 * 100 + activity,
    time: at ?? 0,
    severity_id: { L1: 2, L2: 3, L3: 4 }[String(risk)] ?? 1,
    status_id: denied ? 2 : 1,
    disposition_id: denied ? 2 : 1,
    actor: { user: { name: actor ?? "" }, session: { uid: session ?? "" } },
    api: { operation: tool ?? name ?? kind ?? "" },
    resources: effects.map(({ kind: type, target }) => ({ type, name: target })),
    metadata: {
      version: "1.3.0",
      product: { name: "fettle", vendor_name: "fettle" },
      uid: hash ?? "",
      sequence: seq ?? 0,
      event_code: kind ?? "",
    },
    unmapped,
  };
}

function effectsOf(entry: AuditEntry): { kind: string; target: string }[] {
  const { effects } = entry;
  if (!Array.isArray(effects)) return [];
  return effects.flatMap((effect) =>
    typeof effect === "object" && effect !== null && !Array.isArray(effect)
      ? [{ kind: String(effect["kind"]), target: String(effect["target"]) }]
      : [],
  );
}

function activityOf(kinds: readonly string[]): number {
  if (kinds.includes("delete")) return 4;
  if (kinds.includes("write")) return 3;
  return kinds.length > 0 && kinds.every((kind) => kind === "read") ? 2 : 99;
}
