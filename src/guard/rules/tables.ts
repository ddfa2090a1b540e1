// All program tables as one index.
import { containers } from "./containers.ts";
import { filters, media } from "./filters.ts";
import { gitRow } from "./git.ts";
import { packages } from "./packages.ts";
import { readers } from "./readers.ts";
import type { Row } from "./row.ts";
import { system } from "./system.ts";
import { writers } from "./writers.ts";

export const tables: readonly Row[] = [
  ...readers,
  ...filters,
  ...media,
  ...writers,
  ...system,
  ...packages,
  ...containers,
  gitRow,
];

export const rows: ReadonlyMap<string, Row> = new Map(
  tables.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)),
);

/** Examples that a table gets wrong under `judge`; empty when all hold. Run by the tests, not when the program runs. */
export function checkTables(judge: (command: string) => string): string[] {
  const wrong: string[] = [];
  const check = (row: Row): void => {
    const risk = row.risk ?? "L0";
    for (const command of row.match)
      if (judge(command) !== risk) wrong.push(`${command}: ${judge(command)}, not ${risk}`);
    for (const command of row.notMatch ?? [])
      if (judge(command) <= risk) wrong.push(`${command}: ${judge(command)}, not above ${risk}`);
    for (const sub of row.subcommands ?? []) check(sub);
  };
  for (const row of tables) check(row);
  return wrong;
}
