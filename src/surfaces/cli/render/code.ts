// Lines of a code block, coloured as its language wants it, as they come.
import type { Look, Style } from "../text/style.ts";
import { wrap } from "../text/width.ts";

/** `kind` names what it is in its language (`keyword`); empty: nothing special. */
export interface CodePiece {
  text: string;
  kind: string;
}

/** Undefined where the language is not known. */
export type Highlighter = (language: string, code: string) => CodePiece[] | undefined;

/** A comment that is longer than this loses its colour. */
const mostContext = 300;
const longestLine = 2_000;

const kinds: Readonly<Record<string, keyof Style>> = {
  ...{ keyword: "magenta", tag: "magenta", "selector-tag": "magenta", operator: "magenta" },
  ...{ string: "green", regexp: "green", addition: "green", "meta-string": "green", char: "green" },
  ...{ number: "cyan", literal: "cyan", symbol: "cyan", bullet: "cyan", attr: "cyan", attribute: "cyan" },
  ...{ title: "blue", section: "blue", name: "blue", built_in: "blue", type: "blue", "selector-class": "blue" },
  ...{ comment: "dim", doctag: "dim", meta: "dim", quote: "dim", deletion: "red" },
};

/**
 * Each line is looked at once, with those lines before it on which it depends: of a comment or a string that is still open. What
 * has been given out is never changed by what follows.
 */
export class CodeLines {
  readonly #language: string;
  readonly #highlight: Highlighter | undefined;
  #open: string[] = [];

  constructor(language: string, highlight: Highlighter | undefined) {
    this.#language = language;
    this.#highlight = highlight;
  }

  push(line: string, look: Look): string[] {
    const text = line.replaceAll("\t", "    ");
    const { painted, open } = this.#paint(text, look.style);
    this.#open = open && this.#open.length < mostContext ? [...this.#open, text] : [];
    return indented(painted, look);
  }

  /** The line as it is so far. */
  preview(line: string, look: Look): string[] {
    return indented(this.#paint(line.replaceAll("\t", "    "), look.style).painted, look);
  }

  #paint(line: string, style: Style): { painted: string; open: boolean } {
    const known = style.colour && this.#language !== "" && line.length <= longestLine;
    const pieces = known ? this.#highlight?.(this.#language, [...this.#open, line, ""].join("\n")) : undefined;
    if (!pieces) return { painted: style.cyan(line), open: false };
    const rows: string[] = [""];
    for (const { text, kind } of pieces)
      for (const [at, part] of text.split("\n").entries()) {
        if (at > 0) rows.push("");
        rows[rows.length - 1] += painter(style, kind)(part);
      }
    return { painted: rows[this.#open.length] ?? line, open: pieces.at(-1)?.kind !== "" };
  }
}

const plain = (text: string): string => text;

function painter(style: Style, kind: string): (text: string) => string {
  const name = kinds[kind];
  const paint = name && style[name];
  return typeof paint === "function" ? paint : plain;
}

const indented = (text: string, look: Look): string[] => wrap(text, look.width - 2).map((piece) => `  ${piece}`);
