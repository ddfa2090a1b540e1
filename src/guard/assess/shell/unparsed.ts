// What cannot be parsed is asked about at least; what its pieces show plainly is still forbidden.
import { parse } from "unbash";
import type { Finding } from "../context/findings.ts";

const mostPieces = 200;

/** `:(){:|:&};:` is no shell, but nobody means anything else by it. */
const bomb = /([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;\s*\1/;

/** The first forbidden thing among the lines and list members of a text that as a whole cannot be parsed. */
export function forbiddenPiece(source: string, judge: (piece: string) => Finding | undefined): Finding | undefined {
  if (bomb.test(source))
    return { code: "shell.fork-bomb", risk: "L3", text: "starts itself without end", tag: "destroy" };
  const pieces = new Set(
    [source.split("\n"), source.split(/\n|;|&&|\|\|/), source.split(/\n|;|[&|(){}`]/)]
      .flat()
      .map((piece) => piece.trim()),
  );
  for (const piece of [...pieces].filter(Boolean).slice(0, mostPieces)) {
    if (piece === source.trim() || (parse(piece).errors?.length ?? 0) > 0) continue;
    const found = judge(piece);
    if (found && found.code !== "shell.pattern-command") return found;
  }
  return undefined;
}
