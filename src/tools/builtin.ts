import { applyPatch } from "./apply-patch.ts";
import { ask } from "./ask.ts";
import { edit } from "./edit.ts";
import { fetch } from "./fetch.ts";
import { git } from "./git.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { job } from "./job.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { recall } from "./recall.ts";
import { shell } from "./shell.ts";
import { todo } from "./todo.ts";
import type { AnyTool } from "./tool.ts";
import { write } from "./write.ts";

/** The order is part of the prompt's prefix: append, never reorder. */
export const builtinTools: readonly AnyTool[] = [
  read,
  write,
  edit,
  applyPatch,
  glob,
  grep,
  list,
  shell,
  job,
  git,
  todo,
  ask,
  fetch,
  recall,
];
