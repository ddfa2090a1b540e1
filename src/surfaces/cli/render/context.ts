// What fills a model's window, as bars; and what was found of what was said.
import type { ContextBlock, ContextView, RecallHit } from "../../../protocol/context-view.ts";
import { context as words } from "../words/context.ts";
import { count } from "../text/amounts.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { cutEnd, padEnd, textWidth, wrap } from "../text/width.ts";
import { decimal } from "../../phrases/numbers.ts";

const barWidth = 30;
/** What there is one of. */
const whole: ReadonlySet<ContextBlock["kind"]> = new Set(["system", "sources", "summary"]);

export function renderContext(view: ContextView, look: Look): string[] {
  const { style } = look;
  const free = Math.max(0, view.window - view.tokens);
  const rows = [
    ...view.blocks.map((block) => ({ label: labelOf(block), tokens: block.tokens, paint: style.cyan })),
    { label: words.free, tokens: free, paint: style.dim },
  ];
  const widest = Math.min(Math.max(...rows.map(({ label }) => textWidth(label))), Math.max(16, look.width - 52));
  const bars = rows.map(({ label, tokens, paint }) => {
    const share = tokens / view.window;
    const name = padEnd(cutEnd(label, widest, style.symbols.ellipsis), widest);
    const bar = look.width < widest + barWidth + 20 ? "" : `  ${paint(barOf(share, style.colour ? "█" : "#"))}`;
    return `${name}  ${count(tokens).padStart(6)}  ${style.dim(percent(share).padStart(5))}${bar}`.trimEnd();
  });
  return [
    style.bold(
      words.filled(count(view.tokens), count(view.window), percent(view.tokens / view.window), safeLine(view.model)),
    ),
    ...bars,
    ...notes(view).flatMap((line) => wrap(line, look.width).map(style.dim)),
  ];
}

function notes({ compactsAt, compactions, masked, cached }: ContextView): string[] {
  return [
    words.compacts(count(compactsAt)),
    ...(compactions > 0 ? [words.compactions(compactions)] : []),
    ...(masked > 0 ? [words.masked(masked)] : []),
    ...(cached === null ? [] : [words.cached(percent(cached))]),
  ];
}

const percent = (share: number): string => `${decimal(share * 100, share < 0.0995 ? 1 : 0)} %`;

const barOf = (share: number, mark: string): string => {
  const length = Math.min(barWidth, Math.round(share * barWidth));
  return share > 0 ? mark.repeat(Math.max(1, length)) : "";
};

function labelOf({ kind, name, count: number }: ContextBlock): string {
  const label = words.kinds[kind];
  if (name !== undefined) return `${label} ${safeLine(name)}`;
  return whole.has(kind) ? label : `${label} (${number})`;
}

export function renderRecall(hits: readonly RecallHit[], look: Look): string[] {
  const { style } = look;
  if (hits.length === 0) return [words.nothingFound];
  return hits.flatMap(({ turn, who, excerpt }, at) => [
    ...(at > 0 ? [""] : []),
    `${style.bold(words.turn(turn))} ${style.dim(safeLine(who))}`,
    ...wrap(safeText(excerpt), look.width - 2)
      .slice(0, 8)
      .map((line) => `  ${line}`),
  ]);
}
