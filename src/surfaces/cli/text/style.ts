// Sixteen colours only: the person's own theme decides how they look.

type Paint = (text: string) => string;

interface Symbols {
  done: string;
  failed: string;
  refused: string;
  unknown: string;
  running: string;
  prompt: string;
  bullet: string;
  bar: string;
  rule: string;
  ellipsis: string;
  dot: string;
  minus: string;
  arrow: string;
  warning: string;
  spinner: readonly string[];
}

export interface Style {
  colour: boolean;
  symbols: Symbols;
  bold: Paint;
  dim: Paint;
  italic: Paint;
  underline: Paint;
  inverse: Paint;
  strike: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  blue: Paint;
  magenta: Paint;
  cyan: Paint;
}

/** What a renderer draws on. `width` is the number of columns it may use. */
export interface Look {
  style: Style;
  width: number;
}

const unicodeSymbols: Symbols = {
  done: "✓",
  failed: "✗",
  refused: "⊘",
  unknown: "?",
  running: "•",
  prompt: "›",
  bullet: "•",
  bar: "│",
  rule: "─",
  ellipsis: "…",
  dot: "·",
  minus: "−",
  arrow: "→",
  warning: "!",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

const plainSymbols: Symbols = {
  done: "+",
  failed: "x",
  refused: "#",
  unknown: "?",
  running: "*",
  prompt: ">",
  bullet: "-",
  bar: "|",
  rule: "-",
  ellipsis: "...",
  dot: "-",
  minus: "-",
  arrow: "->",
  warning: "!",
  spinner: ["|", "/", "-", "\\"],
};

/** An inner reset would end the outer paint: it is opened again after each one. */
function paint(open: number, close: number, colour: boolean): Paint {
  if (!colour) return (text) => text;
  const opening = `\x1b[${open}m`;
  const closing = `\x1b[${close}m`;
  return (text) => (text === "" ? "" : opening + text.replaceAll(closing, closing + opening) + closing);
}

export function createStyle(options: { colour: boolean; unicode: boolean }): Style {
  const with_ = (open: number, close: number) => paint(open, close, options.colour);
  return {
    colour: options.colour,
    symbols: options.unicode ? unicodeSymbols : plainSymbols,
    bold: with_(1, 22),
    dim: with_(2, 22),
    italic: with_(3, 23),
    underline: with_(4, 24),
    inverse: with_(7, 27),
    strike: with_(9, 29),
    red: with_(31, 39),
    green: with_(32, 39),
    yellow: with_(33, 39),
    blue: with_(34, 39),
    magenta: with_(35, 39),
    cyan: with_(36, 39),
  };
}

interface ColourWishes {
  env: Readonly<Record<string, string | undefined>>;
  isTTY: boolean;
  /** `--no-color` */
  refused: boolean;
  /** Setting ui.color: auto, always or never. */
  setting?: string;
}

/** A flag beats the setting, the setting beats NO_COLOR and the terminal. */
export function wantsColour({ env, isTTY, refused, setting }: ColourWishes): boolean {
  if (refused || setting === "never") return false;
  if (setting === "always") return true;
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  return isTTY;
}

/** Only a terminal that says so, or an explicit C locale, gets ASCII. */
export function wantsUnicode(env: ColourWishes["env"]): boolean {
  if (env["TERM"] === "dumb" || env["TERM"] === "linux") return false;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return !/^(C|POSIX)$/.test(locale);
}

const plainForms: Readonly<Record<string, string>> = {
  ...{ "…": "...", "·": "-", "–": "-", "—": "--", "−": "-", "×": "x", "→": "->", "›": ">", "‹": "<" },
  ...{ "“": '"', "”": '"', "‘": "'", "’": "'" },
};

/** fettle's own punctuation where only ASCII is shown; letters stay as they are. */
export const plainText = (text: string): string =>
  text.replace(/[…·–—−×→›‹“”‘’]/g, (found) => plainForms[found] ?? found);
