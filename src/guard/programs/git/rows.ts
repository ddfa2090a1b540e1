// git's subcommands as the table knows them.
import { gitRow } from "./table.ts";
import type { Row } from "../../rules/row.ts";
import type { Context } from "../../command-line/context/context.ts";
import { type Flow, literal, type Text, unknown } from "../../command-line/syntax/text.ts";
import { judgeNamed, nameItself } from "./paths.ts";
import { judgeRow } from "../rows/judge.ts";

export const rowOf = (verb: string): Row | undefined =>
  gitRow.subcommands?.find((sub) => sub.names.split(" ").includes(verb));

export function judged(row: Row, verb: Text, words: readonly Text[], at: Context): Flow {
  judgeNamed(verb.value, words, row.operands === "g*", at);
  nameItself(row, verb.value, at);
  return judgeRow(
    { ...row, operands: row.operands === "g*" ? "t*" : (row.operands ?? "t*") },
    [literal(`git ${verb.value}`), ...words],
    at,
  );
}

/** Shows like another subcommand does, with that one's options. */
export function shows(verb: string, words: readonly Text[], at: Context): Flow {
  const row = rowOf(verb);
  if (row) judged(row, literal(verb), words, at);
  return unknown();
}
