// What there is in a database, as a person would write it down: tables with their columns, keys and indexes, and views.
import type { Transaction } from "./connection.ts";

const own = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%'";

const relations = `
  SELECT c.oid::text AS id, n.nspname || '.' || c.relname AS name, c.relkind::text AS kind,
         CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid, true) END AS definition
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${own} ORDER BY 2 LIMIT 500`;

const columns = `
  SELECT a.attrelid::text AS id, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
         || CASE WHEN a.attidentity <> '' THEN ' GENERATED AS IDENTITY'
                 WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END AS line
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f') AND ${own} ORDER BY a.attrelid, a.attnum`;

const constraints = `
  SELECT o.conrelid::text AS id, o.conname || ' ' || pg_get_constraintdef(o.oid) AS line
    FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_namespace n ON n.oid = o.connamespace
   WHERE o.conrelid <> 0 AND ${own} ORDER BY o.contype <> 'p', o.conname`;

const indexes = `
  SELECT i.indrelid::text AS id, pg_get_indexdef(i.indexrelid) AS line
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE NOT i.indisprimary AND ${own} ORDER BY 2`;

const kinds: Readonly<Record<string, string>> = {
  r: "TABLE",
  p: "PARTITIONED TABLE",
  f: "FOREIGN TABLE",
  v: "VIEW",
  m: "MATERIALIZED VIEW",
};

interface Line {
  id: string;
  line: string;
}

/** At most `most` characters, whole relations. */
export async function schemaText(sql: Transaction, most: number): Promise<string> {
  const found = await sql.unsafe<{ id: string; name: string; kind: string; definition: string | null }[]>(relations);
  const parts = await Promise.all([columns, constraints, indexes].map((each) => sql.unsafe<Line[]>(each)));
  const byRelation = parts.map((lines) => Map.groupBy(lines, ({ id }) => id));
  const texts: string[] = [];
  let size = 0;
  for (const { id, name, kind, definition } of found) {
    const lines = byRelation.flatMap((map) => (map.get(id) ?? []).map(({ line }) => `  ${line}`));
    const text = [`${kinds[kind] ?? kind} ${name}`, ...lines, ...(definition === null ? [] : [`  ${definition}`])].join(
      "\n",
    );
    size += text.length;
    if (size > most) return [...texts, `(${found.length - texts.length} more are left out)`].join("\n\n");
    texts.push(text);
  }
  return texts.join("\n\n") || "There is no table.";
}
