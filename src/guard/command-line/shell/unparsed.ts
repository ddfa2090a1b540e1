// What cannot be parsed is asked about at least; what its pieces show plainly is still forbidden.
import { parse } from "unbash";
import { type Context, note } from "../context/context.ts";
import type { Findings } from "../context/findings.ts";

const mostPieces = 200;

/** `:(){:|:&};:` is no shell, but nobody means anything else by it. */
const bomb = /([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;\s*\1/;

/** Notes the first forbidden thing among the lines and list members of a text that as a whole cannot be parsed. */
export function judgePieces(source: string, at: Context, judge: (piece: string) => Findings): void {
  if (bomb.test(source)) {
    note(at, "L3", "shell.fork-bomb", "starts itself without end", "destroy");
    return;
  }
  const pieces = new Set(
    [source.split("\n"), source.split(/\n|;|&&|\|\|/), source.split(/\n|;|[&|(){}`]/)]
      .flat()
      .map((piece) => piece.trim()),
  );
  for (const piece of [...pieces].filter(Boolean).slice(0, mostPieces)) {
    if (piece === source.trim() || (parse(piece).errors?.length ?? 0) > 0) continue;
    const found = judge(piece).forbidden();
    // `15*8` of another language is no program that is found by a pattern.
    if (!found || found.code === "shell.pattern-command") continue;
    note(at, "L3", found.code, found.text);
    return;
  }
}
