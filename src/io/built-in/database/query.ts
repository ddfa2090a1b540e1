// Runs one statement that only reads: SQLite itself opens the file for reading, and refuses every other operation.
import { existsSync } from "node:fs";
import { constants, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Query } from "./spec.ts";

const most = { rows: 200, cell: 500, text: 200_000 };

const reading = new Set([
  ...[constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_FUNCTION, constants.SQLITE_RECURSIVE],
]);

/** Throws what SQLite says. */
export function runQuery({ file, sql }: Query): string {
  const address = pathToFileURL(file);
  // Without a log beside it nobody writes to it just now, and none has to be made to read it.
  address.search = existsSync(`${file}-wal`) ? "mode=ro" : "mode=ro&immutable=1";
  const database = new DatabaseSync(address, { readOnly: true, allowExtension: false });
  try {
    database.setAuthorizer((action) => (reading.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY));
    const lines: string[] = [];
    let size = 0;
    for (const row of database.prepare(sql).iterate()) {
      if (lines.length === 0) lines.push(Object.keys(row).join("\t"));
      if (lines.length > most.rows || size > most.text) {
        lines.push(`(more than ${lines.length - 1} rows; the rest is left out)`);
        break;
      }
      const line = Object.values(row).map(cellText).join("\t");
      size += line.length;
      lines.push(line);
    }
    return lines.length === 0 ? "No rows." : lines.join("\n");
  } finally {
    database.close();
  }
}

function cellText(value: unknown): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  const text = String(value).replace(/[\t\r\n]+/g, " ");
  return text.length > most.cell ? `${text.slice(0, most.cell)}…` : text;
}
