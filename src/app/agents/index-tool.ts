// The tools that ask the code index: offered in a project whose index has been built, so that nobody else's first request grows.
import { existsSync } from "node:fs";
import { indexFile } from "../../memory/index/place.ts";
import { findTool } from "../../tools/find.ts";
import { symbolsTool } from "../../tools/symbols.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Program } from "../program/program.ts";

const most = 10;
const lines = 3;

/** An incognito run keeps no index, and does not wait for one. */
export const indexTools = (program: Program): readonly AnyTool[] =>
  program.incognito || !existsSync(indexFile(program.places.state, program.workspace))
    ? []
    : [
        findTool(async (query) => {
          const { searchIndex } = await import("../program/index-search.ts");
          return searchIndex(program, { query, most, lines });
        }),
        symbolsTool(async (asked) => {
          const { indexSymbols } = await import("../program/index-search.ts");
          return indexSymbols(program, asked);
        }),
      ];
