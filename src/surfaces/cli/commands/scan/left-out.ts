// What a scan of files has left out, said in the same words by each.
import { escapeLine } from "../../../../base/escape.ts";
import type { ScannedFile } from "../../../../protocol/query.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Look } from "../../text/style.ts";
import { wrap } from "../../text/width.ts";

export const words = phrases("scanLeftOut", {
  andMore: (count: number) => ` and ${count} more`,
  notScanned: (count: number, why: string, names: string) => `Not scanned (${why}): ${count}, ${names}`,
  skipped: {
    ignored: "ignored by .gitignore",
    binary: "no text",
    link: "links, which are not followed",
    git: "git's own data",
    other: "no files",
  },
});

const shownNames = 5;

type Scanned = Pick<ScannedFile, "path" | "problem" | "skipped">;

export const wasRead = ({ problem, skipped }: Scanned): boolean => problem === undefined && skipped === undefined;

/** A line for each reason, with the first names. */
export const skippedLines = (files: readonly Scanned[], { style, width }: Look): string[] =>
  (Object.keys(words.skipped) as (keyof typeof words.skipped)[])
    .flatMap((why) => {
      const names = files.filter(({ skipped }) => skipped === why).map(({ path }) => escapeLine(path));
      if (names.length === 0) return [];
      const some = names.slice(0, shownNames).join(", ");
      const more = names.length > shownNames ? words.andMore(names.length - shownNames) : "";
      return wrap(words.notScanned(names.length, words.skipped[why], some + more), width);
    })
    .map(style.dim);
