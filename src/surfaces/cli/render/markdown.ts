// Markdown blocks to terminal lines, over marked's lexer.
import type { Token, Tokens } from "marked";
import type { Look } from "../text/style.ts";
import { CodeLines, type Highlighter } from "./code.ts";
import { padEnd, padStart, textWidth, wrap } from "../text/width.ts";

export type Lexer = (source: string) => Token[];

/** `highlight` may not be there yet. */
export interface MarkdownParts {
  lexer: Lexer;
  highlight?: Highlighter | undefined;
}

const widest = 100;

const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const decode = (text: string) => text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);

function inline(tokens: readonly Token[] | undefined, look: Look): string {
  return (tokens ?? []).map((token) => inlineToken(token, look)).join("");
}

function inlineToken(token: Token, look: Look): string {
  const { style } = look;
  switch (token.type) {
    case "strong":
      return style.bold(inline(token.tokens, look));
    case "em":
      return style.italic(inline(token.tokens, look));
    case "del":
      return style.strike(inline(token.tokens, look));
    case "codespan":
      return style.cyan(decode(token["text"]));
    case "br":
      return "\n";
    case "link": {
      const text = inline(token.tokens, look);
      const href: string = token["href"];
      return text === href || href === `mailto:${text}`
        ? style.underline(text)
        : `${style.underline(text)} ${style.dim(`(${href})`)}`;
    }
    case "image":
      return `${token["text"] || "image"} ${style.dim(`(${token["href"]})`)}`;
    case "checkbox":
      return "";
    default:
      return token.type !== "html" && "tokens" in token && token.tokens
        ? inline(token.tokens, look)
        : decode(String("text" in token ? token["text"] : token.raw));
  }
}

const flow = (text: string, look: Look) => wrap(text, Math.min(look.width, widest));

interface Drawing {
  look: Look;
  highlight: Highlighter | undefined;
}

const narrower = ({ look, highlight }: Drawing, by: number): Drawing => ({
  look: { ...look, width: Math.max(10, look.width - by) },
  highlight,
});

function heading(token: Tokens.Heading, look: Look): string[] {
  const { style } = look;
  const text = inline(token.tokens, look);
  return flow(token.depth === 1 ? style.bold(style.underline(text)) : style.bold(text), look);
}

function renderCode(text: string, language: string, { look, highlight }: Drawing): string[] {
  const lines = new CodeLines(language, highlight);
  return text.split("\n").flatMap((line) => lines.push(line, look));
}

/** The word that names the language of a fence: ```ts title="x". */
const languageOf = (info: string): string => /^[\w+#.-]*/.exec(info.trim())?.[0].toLowerCase() ?? "";

/** `first`: the number of its first item, where items before it have been drawn already. */
function list(token: Tokens.List, drawing: Drawing, first?: number): string[] {
  const { look } = drawing;
  const start = first ?? numberOf(token);
  const lines: string[] = [];
  for (const [at, item] of token.items.entries()) {
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const mark = (token.ordered ? `${start + at}. ` : `${look.style.symbols.bullet} `) + box;
    const inner = narrower(drawing, textWidth(mark));
    const body = blocks(item.tokens, inner, token.loose);
    for (const [row, line] of body.entries())
      lines.push((row === 0 ? look.style.dim(mark) : " ".repeat(textWidth(mark))) + line);
    if (body.length === 0) lines.push(look.style.dim(mark));
    if (token.loose && at < token.items.length - 1) lines.push("");
  }
  return lines;
}

const numberOf = (token: Tokens.List): number => Number(token.start) || 1;

function quote(token: Tokens.Blockquote, drawing: Drawing): string[] {
  const { look } = drawing;
  const bar = look.style.dim(look.style.symbols.bar);
  return blocks(token.tokens, narrower(drawing, 2), true).map((line) => `${bar} ${look.style.italic(line)}`);
}

function table(token: Tokens.Table, look: Look): string[] {
  const rows = [token.header, ...token.rows].map((row) =>
    row.map((cell) => inline(cell.tokens, look).replaceAll("\n", " ")),
  );
  const columns = token.header.length;
  const natural = Array.from({ length: columns }, (_, at) =>
    Math.max(1, ...rows.map((row) => textWidth(row[at] ?? ""))),
  );
  const widths = fit(natural, look.width - 3 * (columns - 1));
  const gap = ` ${look.style.dim(look.style.symbols.bar)} `;
  return rows.flatMap((row, index) => {
    const cells = row.map((cell, at) => wrap(cell, widths[at] ?? 1));
    const height = Math.max(...cells.map((cell) => cell.length));
    const lines = Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, at) => {
          const pad = token.align[at] === "right" ? padStart : padEnd;
          const padded = pad(cell[line] ?? "", widths[at] ?? 1);
          return index === 0 ? look.style.bold(padded) : padded;
        })
        .join(gap)
        .trimEnd(),
    );
    if (index > 0) return lines;
    const rule = widths.map((width) => look.style.symbols.rule.repeat(width)).join(look.style.symbols.rule.repeat(3));
    return [...lines, look.style.dim(rule)];
  });
}

/** Column widths whose sum fits, the widest giving way first. */
function fit(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let total = widths.reduce((sum, width) => sum + width, 0);
  while (total > room) {
    const largest = widths.indexOf(Math.max(...widths));
    if ((widths[largest] ?? 0) <= 4) break;
    widths[largest] = (widths[largest] ?? 0) - 1;
    total--;
  }
  return widths;
}

function block(token: Token, drawing: Drawing): string[] | undefined {
  const { look } = drawing;
  switch (token.type) {
    case "space":
    case "def":
      return undefined;
    case "heading":
      return heading(token as Tokens.Heading, look);
    case "code":
      return renderCode(token["text"], languageOf(token["lang"] ?? ""), drawing);
    case "list":
      return list(token as Tokens.List, drawing);
    case "blockquote":
      return quote(token as Tokens.Blockquote, drawing);
    case "table":
      return table(token as Tokens.Table, look);
    case "hr":
      return [look.style.dim(look.style.symbols.rule.repeat(Math.min(look.width, 40)))];
    case "html":
      return flow(token.raw.trimEnd(), look);
    case "checkbox":
      return undefined;
    default:
      return flow("tokens" in token && token.tokens ? inline(token.tokens, look) : decode(token.raw.trimEnd()), look);
  }
}

function blocks(tokens: readonly Token[], drawing: Drawing, spaced: boolean): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const rendered = block(token, drawing);
    if (!rendered) continue;
    if (spaced && lines.length > 0) lines.push("");
    lines.push(...rendered);
  }
  return lines;
}

const longestPreview = 8_000;

export function renderMarkdown(source: string, { lexer, highlight }: MarkdownParts, look: Look): string[] {
  return blocks(lexer(source), { look, highlight }, true);
}

/** A list of which the first items have been drawn. */
interface BegunList {
  /** The number of the item that comes next. */
  next: number;
  loose: boolean;
}

/**
 * Markdown as it arrives: lines of a block come out once the block is complete, those of a code block one by one, and those of a
 * list item by item. A blank line stands between blocks, never before the first.
 */
export class MarkdownStream {
  readonly #parts: () => MarkdownParts;
  #pending = "";
  #fence: string | undefined;
  #code = new CodeLines("", undefined);
  #begun = false;
  /** The pending text begins with the next item of it. */
  #list: BegunList | undefined;

  constructor(parts: () => MarkdownParts) {
    this.#parts = parts;
  }

  push(text: string, look: Look): string[] {
    this.#pending += text;
    const lines: string[] = [];
    // Nothing is complete before its line is.
    if (!text.includes("\n")) return lines;
    for (;;) {
      const before = this.#pending.length;
      const fenced = this.#fence !== undefined;
      lines.push(...(fenced ? this.#codeLines(look) : this.#completeBlocks(look)));
      if (this.#pending.length === before && fenced === (this.#fence !== undefined)) return lines;
    }
  }

  /** What is not complete yet, drawn as if it were. */
  preview(look: Look): string[] {
    if (this.#pending.trim() === "") return [];
    // A paragraph of a megabyte is not laid out anew for each frame.
    if (this.#pending.length > longestPreview) return wrap(this.#pending.slice(-longestPreview), look.width);
    if (this.#fence !== undefined) return this.#code.preview(this.#pending, look);
    return this.#drawn(this.#pending, look);
  }

  end(look: Look): string[] {
    const rest = this.#pending.replace(/\n+$/, "");
    const closed = this.#fence !== undefined && rest.trim().startsWith(this.#fence);
    const lines =
      closed || rest === "" ? [] : this.#fence !== undefined ? this.#restOfCode(rest, look) : this.#emit(rest, look);
    this.#pending = "";
    this.#fence = undefined;
    this.#begun = false;
    this.#list = undefined;
    return lines;
  }

  #emit(source: string, look: Look): string[] {
    const lines = this.#drawn(source, look);
    this.#list = undefined;
    if (lines.length > 0) this.#begun = true;
    return lines;
  }

  /** The blocks of the source, with a blank line before them where something else stands above. */
  #drawn(source: string, look: Look): string[] {
    const parts = this.#parts();
    const tokens = parts.lexer(source);
    const [head, ...after] = tokens;
    const goesOn = this.#list && head?.type === "list" ? (head as Tokens.List) : undefined;
    const drawing = { look, highlight: parts.highlight };
    if (!this.#list || !goesOn) {
      const rendered = blocks(tokens, drawing, true);
      return this.#begun && rendered.length > 0 ? ["", ...rendered] : rendered;
    }
    const loose = this.#list.loose || goesOn.loose;
    const rest = blocks(after, drawing, true);
    return [
      ...(loose ? [""] : []),
      ...list({ ...goesOn, loose }, drawing, this.#list.next),
      ...(rest.length > 0 ? ["", ...rest] : []),
    ];
  }

  /** All items but the last, which may go on. */
  #completeItems(token: Tokens.List, look: Look): string[] {
    const whole = token.items.slice(0, -1);
    const source = whole.map((item) => item.raw).join("");
    // The text is taken away by its length.
    if (whole.length === 0 || !token.raw.startsWith(source) || !this.#pending.startsWith(source)) return [];
    const before = this.#list;
    const loose = before?.loose === true || token.loose;
    const first = before?.next ?? numberOf(token);
    const lines = list({ ...token, items: whole, loose }, { look, highlight: this.#parts().highlight }, first);
    const gap = before ? loose : this.#begun;
    this.#pending = this.#pending.slice(source.length);
    this.#begun = true;
    this.#list = { next: first + whole.length, loose };
    return gap ? ["", ...lines] : lines;
  }

  #completeBlocks(look: Look): string[] {
    const fence = /^\s*(`{3,}|~{3,})([^\n`]*)\n/.exec(this.#pending);
    if (fence?.[1]) {
      this.#fence = fence[1];
      this.#code = new CodeLines(languageOf(fence[2] ?? ""), this.#parts().highlight);
      this.#pending = this.#pending.slice(fence[0].length);
      const lines = this.#begun ? [""] : [];
      this.#begun = true;
      return lines;
    }
    // A line that has begun may be the next item of a list as well as a paragraph behind it.
    const ended = this.#pending.slice(0, this.#pending.lastIndexOf("\n") + 1);
    if (ended === "") return [];
    const tokens = this.#parts().lexer(ended);
    let last = tokens.length - 1;
    while (last >= 0 && tokens[last]?.type === "space") last--;
    const whole = tokens.slice(0, last);
    const [head] = tokens;
    if (last === 0 && head?.type === "list") return this.#completeItems(head as Tokens.List, look);
    if (whole.every((token) => token.type === "space")) return [];
    const source = whole.map((token) => token.raw).join("");
    this.#pending = this.#pending.slice(source.length);
    return this.#emit(source, look);
  }

  #restOfCode(rest: string, look: Look): string[] {
    return rest.split("\n").flatMap((line) => this.#code.push(line, look));
  }

  #codeLines(look: Look): string[] {
    const fence = this.#fence ?? "```";
    const lines: string[] = [];
    let end = this.#pending.indexOf("\n");
    while (end !== -1) {
      const line = this.#pending.slice(0, end);
      this.#pending = this.#pending.slice(end + 1);
      if (line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), "") === "") {
        this.#fence = undefined;
        return lines;
      }
      lines.push(...this.#code.push(line, look));
      end = this.#pending.indexOf("\n");
    }
    return lines;
  }
}
