// Sixteen colours only: the person's own theme decides how they look.

type Paint = (text: string) => string;

/** Sequences that begin and end it. */
const paints = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export interface Style extends Record<keyof typeof paints, Paint> {
  colour: boolean;
  symbols: typeof unicodeSymbols;
}

/** What a renderer draws on. `width` is the number of columns it may use. */
export interface Look {
  style: Style;
  width: number;
}

const unicodeSymbols = {
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

const plainSymbols: typeof unicodeSymbols = {
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
function paint([open, close]: readonly [number, number], colour: boolean): Paint {
  if (!colour) return (text) => text;
  const opening = `\x1b[${open}m`;
  const closing = `\x1b[${close}m`;
  return (text) => (text === "" ? "" : opening + text.replaceAll(closing, closing + opening) + closing);
}

export function createStyle({ colour, unicode }: { colour: boolean; unicode: boolean }): Style {
  const painted = Object.entries(paints).map(([name, codes]) => [name, paint(codes, colour)]);
  const all = Object.fromEntries(painted) as Record<keyof typeof paints, Paint>;
  return { ...all, colour, symbols: unicode ? unicodeSymbols : plainSymbols };
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
