import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { AuditEntry, AuditFilter, AuditReport } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { duration, moment, money } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderPairs } from "../text/table.ts";
import { cutEnd, padEnd, textWidth, wrap } from "../text/width.ts";
import { reports } from "../words/reports.ts";

export function renderReport(report: AuditReport, look: Look): string[] {
  const { style } = look;
  const head = report.ok
    ? `${style.green(style.symbols.done)} ${reports.auditOk(report.entries, report.segments)}`
    : `${style.red(style.symbols.failed)} ${style.bold(reports.auditBroken(report.badEntry, safeLine(report.problem ?? "?").replace(/\.$/, "")))}`;
  const pairs: [string, string][] = [
    ...(report.head === "" ? [] : ([[reports.head, report.head]] as [string, string][])),
    [reports.signature, reports.signatures[report.signature]],
    ...(report.dropped ? ([[reports.dropped, reports.droppedUpTo(report.dropped)]] as [string, string][]) : []),
    ...(report.unproven ?? []).map((each): [string, string] => [
      reports.unproven,
      safeLine(reports.unprovenEntries(each.from, each.to, each.why)),
    ]),
    ...(report.rolledBack ?? []).map((each): [string, string] => [
      reports.rolledBack,
      reports.rolledBackFrom(each.known, each.found),
    ]),
    ...(report.fingerprint ? ([[reports.signer, report.fingerprint]] as [string, string][]) : []),
  ];
  const meaning = wrap(safeLine(report.guarantee), look.width - 11);
  return [
    head,
    "",
    ...renderPairs(pairs, look),
    ...meaning.map((line, at) => `${style.dim(padEnd(at === 0 ? reports.guarantee : "", 9))}  ${line}`),
  ];
}

const field = (entry: AuditEntry, name: string): string => {
  const value = entry[name];
  if (value === undefined || value === null) return "";
  return safeLine(typeof value === "object" ? JSON.stringify(value) : String(value));
};

function targets(entry: AuditEntry): string {
  const effects = entry["effects"];
  if (!Array.isArray(effects)) return "";
  const named = effects.map((effect) =>
    typeof effect === "object" && effect !== null && !Array.isArray(effect)
      ? `${String(effect["kind"])} ${String(effect["target"])}`
      : "",
  );
  return safeLine(named.filter(Boolean).join(", "));
}

/** What a note holds, nested names dotted; long ones (sessions, digests) come last. */
function noteText(entry: AuditEntry): string {
  const told = (value: Json, name: string): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => told(inner as Json, name === "" ? key : `${name}.${key}`))
      : [`${name}=${name === "cost" && typeof value === "number" ? money(value) : String(value)}`];
  const words = told(entry["data"] ?? {}, "").filter((word) => !/^usage\..*=0$/.test(word));
  const place = (word: string) => (word.startsWith("model=") ? 0 : word.length > 20 ? 2 : 1);
  return safeLine(words.toSorted((one, other) => place(one) - place(other)).join(" "));
}

/** Who approved, for whom, and the files that the approval is bound to; `--json` has the digests. */
function receiptText(data: { [key: string]: Json }): string {
  const files = Array.isArray(data["files"]) ? data["files"] : [];
  const paths = files.map((file) =>
    typeof file === "object" && file !== null && !Array.isArray(file) ? file["path"] : "",
  );
  const requester = data["requester"] === undefined ? "" : ` ${reports.receiptFor(String(data["requester"]))}`;
  return safeLine(
    `${reports.receipt(String(data["by"]))}${requester} (${String(data["call"])}) ${paths.join(", ")}`.trim(),
  );
}

function noteLine(entry: AuditEntry): string {
  const { data } = entry;
  const isReceipt = entry["name"] === "approval.receipt" && typeof data === "object" && data !== null;
  if (isReceipt && !Array.isArray(data)) return receiptText(data);
  return `${field(entry, "name")} ${noteText(entry)}`.trim();
}

function entryText(entry: AuditEntry, look: Look): string {
  const { style } = look;
  switch (entry["kind"]) {
    case "effect.begin":
      return `${style.bold(field(entry, "tool"))} ${field(entry, "risk")} ${field(entry, "verdict")} ${style.dim(`(${field(entry, "rule")})`)} ${targets(entry)}`;
    case "effect.denied":
      return `${style.red("denied")} ${style.bold(field(entry, "tool"))} ${field(entry, "risk")} ${style.dim(`(${field(entry, "rule")})`)} ${targets(entry)}`;
    case "effect.end":
      return style.dim(
        `${style.symbols.arrow} #${field(entry, "of")} ${field(entry, "status")} ${duration(Number(entry["ms"] ?? 0))}`,
      );
    case "note":
      return style.dim(noteLine(entry));
    default:
      return style.dim(`${field(entry, "kind")} ${field(entry, "reason")}`.trim());
  }
}

/** At a space, so that no colour is cut. */
function cutPainted(text: string, room: number, look: Look): string {
  if (textWidth(text) <= room) return text;
  const { ellipsis } = look.style.symbols;
  return `${wrap(text, room - textWidth(ellipsis) - 1)[0] ?? ""} ${ellipsis}`;
}

/** One line for each entry: number, time, what. */
function renderEntries(entries: readonly AuditEntry[], look: Look): string[] {
  const width = Math.max(1, ...entries.map((entry) => field(entry, "seq").length));
  return entries.map((entry) => {
    const head = `${field(entry, "seq").padStart(width)}  ${moment(Number(entry["at"] ?? 0))}  `;
    const text = entryText(entry, look);
    const room = look.width - head.length;
    const shown = look.style.colour ? cutPainted(text, room, look) : cutEnd(text, room, look.style.symbols.ellipsis);
    return look.style.dim(head) + shown;
  });
}

/** Exit 7 when the ledger cannot be trusted. */
export const verifyAudit = (context: Context, against?: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const report = await client.read("audit.verify", against === undefined ? {} : { against });
    if (context.options.json) context.json(report);
    else context.lines(renderReport(report, context.look()));
    return report.ok ? Exit.done : Exit.integrity;
  });

export const queryAudit = (context: Context, filter: AuditFilter): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const entries = await client.read("audit.entries", filter);
    if (context.options.json) for (const entry of entries) context.out.line(JSON.stringify(entry));
    else if (entries.length === 0) context.out.line(reports.auditNone);
    else context.lines(renderEntries(entries, context.look()));
    return Exit.done;
  });

type ExportFormat = "jsonl" | "csv" | "ocsf";

/** Every entry, one line each (a CSV cell may hold line ends). */
export const exportAudit = (context: Context, filter: AuditFilter, format: ExportFormat): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const { csvHead, csvLine, ocsfEvent } = await import("./audit-formats.ts");
    if (format === "csv") context.out.line(csvHead);
    for (const entry of await client.read("audit.entries", filter)) {
      const line = format === "csv" ? csvLine(entry) : JSON.stringify(format === "ocsf" ? ocsfEvent(entry) : entry);
      context.out.line(line);
      await context.out.ready();
    }
    return Exit.done;
  });

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h`, `3d`, or a date; undefined when it is neither. */
export function parseTime(text: string, now: number): number | undefined {
  const back = /^(\d+)([mhd])$/.exec(text);
  if (back) return now - Number(back[1]) * (units[back[2] ?? ""] ?? 0);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
