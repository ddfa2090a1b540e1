import { escapeLine } from "../../../base/escape.ts";
import type { Diff, FileDiff } from "../../../protocol/result.ts";
import { words } from "../words/session.ts";
import { counts } from "../text/amounts.ts";
import type { Look } from "../text/style.ts";
import { changedWords, markWords, type WordRange } from "./changed-words.ts";
import { type PatchLine, patchLines } from "./patch-lines.ts";
import { besideEachOther, leastWidth } from "./side-by-side.ts";
import { hardWrap, wrap } from "../text/width.ts";

interface DiffOptions {
  /** Lines of patch per file; what is left out is counted. */
  most?: number;
  /** Without the line that names the file. */
  bare?: boolean;
}

/** Empty where no line differs: moved, or another mode. */
export function changeCount(file: { added: number; removed: number }, look: Look): string {
  const { style } = look;
  const parts = [];
  if (file.added > 0) parts.push(style.green(`+${file.added}`));
  if (file.removed > 0) parts.push(style.red(`${style.symbols.minus}${file.removed}`));
  return parts.join(" ");
}

function heading(file: FileDiff, look: Look): string[] {
  const { style } = look;
  const moved = file.from ? `${style.dim(`${escapeLine(file.from)} ${style.symbols.arrow} `)}` : "";
  const head = [`${moved}${style.bold(escapeLine(file.path))}`, style.dim(words.change[file.change])];
  const lines = [[...head, changeCount(file, look)].filter((part) => part !== "").join("  ")];
  if (file.runLater) lines.push(style.yellow(`${style.symbols.warning} ${words.runLater}`));
  return lines;
}

/** Changed words stand out from the rest of their line. */
function renderLine(line: PatchLine, words: readonly WordRange[], gutter: number, look: Look): string[] {
  const { style } = look;
  const number = style.dim(line.number.padStart(gutter));
  if (line.sign === "@") return [style.dim(`${" ".repeat(gutter)} ${style.symbols.ellipsis} ${line.text}`.trimEnd())];
  const { text } = line;
  const paint = line.sign === "+" ? style.green : line.sign === "-" ? style.red : style.dim;
  const sign = line.sign === "\\" ? " " : line.sign;
  let from = 0;
  return hardWrap(text, look.width - gutter - 3).map((piece, at) => {
    const marked = markWords(piece, from, words, style.inverse);
    from += piece.length;
    return at === 0
      ? `${number} ${paint(`${sign} ${marked}`.trimEnd())}`
      : `${" ".repeat(gutter)} ${paint(`${sign} ${marked}`)}`;
  });
}

function renderFile(file: FileDiff, look: Look, options: DiffOptions = {}): string[] {
  const head = options.bare ? [] : heading(file, look);
  if (file.patch === "") {
    const empty = file.added + file.removed === 0 && file.change === "modified";
    return empty ? [...head, look.style.dim(`  ${words.binary}`)] : head;
  }
  const all = [...patchLines(file.patch)].map((line) => ({
    ...line,
    text: escapeLine(line.text.replaceAll("\t", "    ")),
  }));
  const shown = all[0]?.sign === "@" && all[0].text === "" ? all.slice(1) : all;
  const gutter = Math.max(3, ...shown.map((line) => line.number.length));
  const kept = options.most !== undefined && shown.length > options.most + 2 ? shown.slice(0, options.most) : shown;
  const marked = look.style.colour ? changedWords(kept) : undefined;
  const body =
    look.beside === true && look.width >= leastWidth
      ? besideEachOther(kept, marked, gutter, look)
      : kept.flatMap((line, at) => renderLine(line, marked?.get(at) ?? [], gutter, look));
  const left = shown.length - kept.length;
  if (left > 0)
    body.push(look.style.dim(`${" ".repeat(gutter)} ${look.style.symbols.ellipsis} ${words.moreLines(left)}`));
  return [...head, ...body];
}

export function renderDiff(diff: Diff, look: Look, options: DiffOptions = {}): string[] {
  return diff.files.flatMap((file, at) => [...(at > 0 ? [""] : []), ...renderFile(file, look, options)]);
}

export function diffSummary(diff: Diff, look: Look): string {
  const added = diff.files.reduce((sum, file) => sum + file.added, 0);
  const removed = diff.files.reduce((sum, file) => sum + file.removed, 0);
  return `${counts.changed(diff.files.length)}  ${changeCount({ added, removed }, look)}`.trimEnd();
}

/** One line for a whole turn, and one that names what others run or obey later. */
export function changedLine(diff: Diff, look: Look): string[] {
  const { style } = look;
  const line = `${diffSummary(diff, look)}   ${style.dim(words.changedHow)}`;
  const later = diff.files.filter(({ runLater }) => runLater === true).map(({ path }) => escapeLine(path));
  const flagged = later.length > 0 ? [style.yellow(words.changedRunLater(later.join(", ")))] : [];
  return [line, ...flagged].flatMap((each) => wrap(each, look.width));
}

/** The files, each with what happened to it. */
export const renderNames = (diff: Diff, look: Look): string[] => diff.files.flatMap((file) => heading(file, look));

/** At most `most` lines, with every file named as long as that is possible; undefined when the whole is no longer. */
export function renderShort(diff: Diff, look: Look, most: number): string[] | undefined {
  if (renderDiff(diff, look).length <= most) return undefined;
  for (const each of [40, 20, 10, 5]) {
    const lines = renderDiff(diff, look, { most: each });
    if (lines.length <= most) return lines;
  }
  const names = renderNames(diff, look);
  if (names.length <= most) return names;
  const left = names.length - most + 1;
  return [...names.slice(0, most - 1), look.style.dim(`${look.style.symbols.ellipsis} ${words.moreLines(left)}`)];
}
