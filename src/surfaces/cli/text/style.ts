// Sixteen colours: the terminal's own theme decides how they look, unless its background is light, or the person names others.

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
  /** Diffs stand with before and after beside each other, where there is room. */
  beside?: boolean;
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

export const colourNames = ["red", "green", "yellow", "blue", "magenta", "cyan"] as const;
type ColourName = (typeof colourNames)[number];

/** Colours by name: `#rrggbb`, or a number of the 256. */
export type Palette = Readonly<Partial<Record<ColourName, string>>>;

/** Yellow and cyan of most terminals cannot be read on white. */
export const lightPalette: Palette = { red: "160", green: "28", yellow: "94", blue: "25", magenta: "90", cyan: "30" };

/** What of the person's own table is a colour. */
export function paletteOf(given: Readonly<Record<string, unknown>>): Palette {
  const named = colourNames.filter((name) => typeof given[name] === "string" && opens(given[name]) !== undefined);
  return Object.fromEntries(named.map((name) => [name, given[name]]));
}

function opens(colour: string): string | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour) ?? [];
  if (red && green && blue) return `38;2;${[red, green, blue].map((part) => Number.parseInt(part, 16)).join(";")}`;
  return /^\d{1,3}$/.test(colour) && Number(colour) < 256 ? `38;5;${colour}` : undefined;
}

/** An inner reset would end the outer paint: it is opened again after each one. */
function paint(open: number | string, close: number, colour: boolean): Paint {
  if (!colour) return (text) => text;
  const opening = `\x1b[${open}m`;
  const closing = `\x1b[${close}m`;
  return (text) => (text === "" ? "" : opening + text.replaceAll(closing, closing + opening) + closing);
}

interface StyleWishes {
  colour: boolean;
  unicode: boolean;
  palette?: Palette;
}

export function createStyle({ colour, unicode, palette = {} }: StyleWishes): Style {
  const painted = Object.entries(paints).map(([name, [open, close]]) => {
    const own = palette[name as ColourName];
    return [name, paint((own !== undefined && opens(own)) || open, close, colour)];
  });
  const all = Object.fromEntries(painted) as Record<keyof typeof paints, Paint>;
  return { ...all, colour, symbols: unicode ? unicodeSymbols : plainSymbols };
}

/** What the terminal answers to `OSC 11 ?`: whether its background is light. Undefined: that is no such answer. */
export function lightGround(answer: string): boolean | undefined {
  const found = /^\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(answer);
  if (!found) return undefined;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5;
}

/** `COLORFGBG=0;15`: some terminals tell it before anybody asks. */
export const lightByVariable = (value: string | undefined): boolean => /;(7|15)$/.test(value ?? "");

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
