import { z } from "zod";
import { Json, Part } from "./message.ts";

export const FileDiff = z.object({
  path: z.string(),
  change: z.enum(["created", "modified", "deleted", "moved"]),
  from: z.string().optional(),
  added: z.number().int(),
  removed: z.number().int(),
  /** Unified hunks (from the first `@@`); empty for binary files. */
  patch: z.string(),
  /** Set when others run or obey this file later (package.json, Makefile, CI, AGENTS.md ...). */
  runLater: z.boolean().optional(),
  /** A name for the content before and after, each the same for the same content; absent for what is not text. */
  states: z.tuple([z.string(), z.string()]).optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;
export const Diff = z.object({ files: z.array(FileDiff) });
export type Diff = z.infer<typeof Diff>;

/**
 * What a call came to. `code` and `params` are for surfaces to translate; `parts` is what the model reads.
 * `spill` is the handle of the full text when `parts` holds only head and tail.
 * done: it ran. failed: it ran or was tried, and failed. refused: the gate or a person said no. expired: nobody answered.
 * unknown: it was begun and its outcome was lost (crash).
 */
export const Result = z.object({
  status: z.enum(["done", "failed", "refused", "expired", "unknown"]),
  code: z.string().optional(),
  params: z.record(z.string(), Json).optional(),
  parts: z.array(Part),
  diff: Diff.optional(),
  /** What a command has written to the workspace: a name for what each file holds now, the same for the same content. */
  wrote: z.array(z.object({ path: z.string(), state: z.string() })).optional(),
  spill: z.string().optional(),
  /** What an MCP server answered, as it stands but for secrets: for another agent, which asked by way of fettle. */
  whole: Json.optional(),
});
export type Result = z.infer<typeof Result>;

export { failure, textResult } from "./outcome.ts";
