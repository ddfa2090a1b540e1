// Every example of the built-in tables, held against a judge. Building runs this (scripts/build.mjs), starting does not:
// docs/decisions/0009-table-examples.md.
import { checkCodePatterns } from "./code/patterns.ts";
import { checkPathTables } from "../rules/paths.ts";
import { checkReadingForms } from "./reading/table.ts";
import type { Row } from "../rules/row.ts";
import { checkShapes } from "../rules/shapes.ts";
import { checkTables, tables } from "./tables.ts";
import { checkTools } from "./checks/table.ts";

/** What is wrong with them, a sentence each; empty when all hold. */
export const wrongExamples = (judge: (command: string) => string, rows: readonly Row[] = tables): string[] => [
  ...checkTables(judge, rows),
  ...checkShapes(judge),
  ...checkReadingForms(judge),
  ...checkTools(judge),
  ...checkPathTables(),
  ...checkCodePatterns(),
];
