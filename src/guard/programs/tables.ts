// All program tables as one index.
import { containers } from "./containers/table.ts";
import { filters, media } from "./text/filters.ts";
import { gitRow } from "./git/table.ts";
import { packages } from "./packages/table.ts";
import { readers } from "./text/readers.ts";
import type { Row } from "../rules/row.ts";
import { system } from "./system/table.ts";
import { writers } from "./files/table.ts";

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

/**
 * Readers of which no option executes, writes or connects, so that a word which only the running shell knows may stand
 * among their words. Of all others it could become such an option (`sort --compress-program`, `rg --pre`, `find -exec`).
 */
export const plainReaders: ReadonlySet<string> = new Set(
  (
    "cat tac head tail wc ls dir vdir eza exa lsd grep egrep fgrep cut paste join comm col colrm colcrt expand unexpand " +
    "fold fmt nl pr look tsort numfmt column rev tr od hexdump hd strings size stat du df realpath readlink basename " +
    "dirname md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum diff cmp seq expr factor sleep nproc " +
    "uname which whereis whatis id groups whoami ps pgrep pidof mkdir touch mktemp rmdir unlink jq gojq readelf file"
  ).split(" "),
);

/** Examples that a table gets wrong under `judge`; empty when all hold. Run when fettle is built, not when it starts. */
export function checkTables(judge: (command: string) => string, of: readonly Row[] = tables): string[] {
  const wrong: string[] = [];
  const check = (row: Row): void => {
    const risk = row.risk ?? "L0";
    for (const command of row.match)
      if (judge(command) !== risk) wrong.push(`${command}: ${judge(command)}, not ${risk}`);
    for (const command of row.notMatch ?? [])
      if (judge(command) <= risk) wrong.push(`${command}: ${judge(command)}, not above ${risk}`);
    for (const sub of row.subcommands ?? []) check(sub);
  };
  for (const row of of) check(row);
  return wrong;
}
