// The tools that ask the code index: offered in a project whose index has been built, so that nobody else's first request grows.
import { existsSync } from "node:fs";
import { indexFile } from "../../memory/index/place.ts";
import { findTool } from "../../tools/find.ts";
import { symbolsTool } from "../../tools/symbols.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { isUnattended } from "../record/unattended.ts";
import type { Program } from "../program/program.ts";

/** An incognito run keeps no index, and does not wait for one. */
export const indexTools = (program: Program): readonly AnyTool[] =>
  program.incognito || !existsSync(indexFile(program.places.state, program.workspace))
    ? []
    : [
        findTool(async (query) => {
          const { searchForModel } = await import("../program/index-search.ts");
          return searchForModel(program, query);
        }),
        symbolsTool(async (asked) => {
          const { indexSymbols } = await import("../program/index-search.ts");
          return indexSymbols(program, asked);
        }),
      ];

/** The first request goes out before. */
const laterMs = 3_000;

export function indexInBackground(program: Program): void {
  if (program.incognito || isUnattended(program)) return;
  setTimeout(() => {
    void import("../program/index-search.ts").then(({ beginIndex }) => beginIndex(program));
  }, laterMs).unref();
}
