// What programs print, as far as their words decide it. Whatever is not told here may be any text.
import type { Context } from "../command-line/context/context.ts";
import {
  constant,
  type Flow,
  hole,
  isStatic,
  names,
  nothing,
  numbers,
  Origin,
  type Text,
  unknown,
} from "../command-line/syntax/text.ts";

type Output = (words: readonly Text[], at: Context, flow: Flow) => Flow;

const operands = (words: readonly Text[]): Text[] => words.filter(({ value }) => !value.startsWith("-"));
const options = (words: readonly Text[]): string[] =>
  words.filter(({ value }) => value.startsWith("-")).map(({ value }) => value);
const counted = (text: Text): boolean =>
  !text.doubtful && !text.glob && (!text.holes || text.numeric) && /^-?[\d.]+$/.test(text.value.replaceAll(hole, "0"));
/** Where the words came from is in what is printed of them. */
const text = (words: readonly Text[]): Flow =>
  unknown(words.reduce((bits, word) => bits | word.from, Origin.program as number));
const only =
  (pattern: RegExp, flow: Flow): Output =>
  (words) =>
    words.every((word) => isStatic(word) && pattern.test(word.value)) ? flow : text(words);

/** Only what prints nothing but numbers counts as numbers: the rest of a format is text of the caller's choosing. */
const date: Output = (words) => {
  const formats = words.filter(({ value }) => value.startsWith("+"));
  const chosen = words.filter((word) => !word.value.startsWith("+"));
  if (chosen.some(({ value }) => /^(-f|--file|--debug)/.test(value))) return text(words);
  const [format] = formats;
  if (!format) return constant;
  if (formats.length > 1 || !isStatic(format)) return text(words);
  if (/^\+(%[-_0]?[sYymdHMSNjuwVGgCeklIU]|\d|[ -])+$/.test(format.value) && !/^\+ *-/.test(format.value))
    return /^\+[^- ]*$/.test(format.value) ? numbers : constant;
  return /^\+[\w%:./+ -]*$/.test(format.value) && !/^\+[ -]/.test(format.value) ? constant : text(words);
};

const seq: Output = (words) => (words.every(counted) || onlyPadded(words) ? numbers : text(words));
const onlyPadded = (words: readonly Text[]): boolean => words[0]?.value === "-w" && words.slice(1).every(counted);

const expr: Output = (words) =>
  words.every(
    (word) => counted(word) || (isStatic(word) && /^(\+|-|\*|\/|%|[<>]=?|!?=|==|\||&|[()])$/.test(word.value)),
  )
    ? numbers
    : text(words);

/** The last or all but the last piece of a path that is written out. */
const pieceOf =
  (name: string): Output =>
  (words) => {
    const [path, suffix] = words;
    // To `dirname` the second word is another path.
    if (
      !path ||
      words.length > (name === "dirname" ? 1 : 2) ||
      !words.every((word) => isStatic(word) && !word.glob && /^[^-]/.test(word.value))
    )
      return words.every((word) => (word.names || isStatic(word)) && !word.doubtful) ? names : text(words);
    const whole = path.value.replace(/(?<=.)\/+$/, "");
    const slash = whole.lastIndexOf("/");
    const base = whole.slice(slash + 1) || "/";
    const folder = slash < 0 ? "." : whole.slice(0, slash).replace(/\/+$/, "") || "/";
    const short =
      suffix && base !== suffix.value && base.endsWith(suffix.value) ? base.slice(0, -suffix.value.length) : base;
    return { shape: "unknown", from: path.from, text: `${name === "dirname" ? folder : short}\n` };
  };

/** Without a file among its words it names none. */
const wc: Output = (words) =>
  operands(words).length === 0 && !options(words).some((word) => word.startsWith("--files"))
    ? numbers
    : { ...names, from: names.from | text(words).from };

const stat: Output = (words, _, flow) => {
  const format = words.map(({ value }) => /^(?:-c|--format=)(.+)$/.exec(value)?.[1]).find(Boolean);
  const next = words[words.findIndex(({ value }) => value === "-c") + 1];
  const chosen = format ?? (words.some(({ value }) => value === "-c") && isStatic(next) ? next.value : undefined);
  return chosen !== undefined && /^(%[sbBhiugafdXYZWT]| )+$/.test(chosen) && !/%[fdT]/.test(chosen) ? numbers : flow;
};

/** What keeps a stream's lines as they are; everything else makes other text of it. */
const lines: Output = (words, _, flow) => {
  const plain = options(words).every((word) =>
    /^-(\d+|[nc]?\d*|[nrufbhVgz]+|k[\d,.nr]*|-zero-terminated|-unique|-numeric-sort|-reverse|-version-sort)$/.test(
      word,
    ),
  );
  return plain || flow.shape === "unknown" ? flow : unknown(flow.from);
};
const changed: Output = (_, __, flow) =>
  flow.shape === "unknown" || flow.shape === "nothing" ? flow : unknown(flow.from | Origin.program);

const formatting =
  /^--?(format|pretty|dirty|broken|shell|perl|python|tcl|sq|default|prefix|line-prefix|src-prefix|dst-prefix|output-indicator)/;
/** Formats of hashes, times and references alone. */
const plainFormat = /^--(format|pretty)=(format:|tformat:)?((%[HhTtPp]|%[ac]t| )+|%\((refname|objectname)(:short)?\))$/;

/** What git prints of itself: hashes and numbers. A format, a setting or a message may be any text. */
const git: Output = (words, _, flow) => {
  const verb = words.findIndex(
    ({ value }, index) => !value.startsWith("-") && !/^-[cC]$/.test(words[index - 1]?.value ?? ""),
  );
  const name = words[verb]?.value ?? "";
  const rest = words.slice(verb + 1);
  if (rest.some((word) => isStatic(word) && plainFormat.test(word.value)))
    return /^(log|show|rev-list)$/.test(name) ? constant : { shape: "names", from: 0 };
  if (rest.some(({ value }) => formatting.test(value)))
    return flow.shape === "nothing" ? flow : unknown(flow.from | Origin.file);
  if (name === "rev-list" && rest.some(({ value }) => value === "--count")) return numbers;
  if (name === "rev-list" || name === "merge-base") return constant;
  if (name === "rev-parse" && !rest.every((word) => isStatic(word) && /^[\w./@{}^~-]+$/.test(word.value)))
    return text(words);
  return flow.shape === "constant" && name !== "describe" ? unknown(Origin.file) : flow;
};

const each = (programs: string, output: Output): [string, Output][] =>
  programs.split(" ").map((program) => [program, output]);

/** Some name in the private folder that /tmp is. */
const mktemp: Output = (words, at, flow) => {
  const { facts } = at.run;
  if (facts.privateTmp !== true || !words.every(isStatic)) return flow;
  const [template] = operands(words);
  const plain = options(words).every((word) => /^-{1,2}(?:[dqut]+|tmpdir|directory|quiet|suffix=\.\w+)$/.test(word));
  if (!plain || (template !== undefined && !/^(?:\/tmp\/)?[\w.-]+$/.test(template.value))) return flow;
  const inTmp =
    template === undefined || template.value.startsWith("/tmp/") || /^-(?:t|-tmpdir)$/.test(words[0]?.value ?? "");
  return inTmp ? { shape: "unknown", from: Origin.program, text: `${facts.temporary}/tmp.made` } : flow;
};

export const outputs: ReadonlyMap<string, Output> = new Map<string, Output>([
  ["date", date],
  ["mktemp", mktemp],
  ["seq", seq],
  ["expr", expr],
  ["wc", wc],
  ["stat", stat],
  ["basename", pieceOf("basename")],
  ["dirname", pieceOf("dirname")],
  ["git", git],
  ["nproc", only(/^--all$/, numbers)],
  ["id", only(/^-[ugG]$|^--(user|group)$/, numbers)],
  ["tput", only(/^(cols|lines|colors)$/, numbers)],
  ["getconf", only(/^_?[A-Z_]*(PROCESSORS|PAGE|PAGESIZE|PAGE_SIZE|LONG_BIT|PHYS_PAGES)\w*$/, numbers)],
  ["pidof", only(/^[\w-]+$/, numbers)],
  ["pgrep", only(/^(-[fnox]+|[^-].*)$/, numbers)],
  ["uname", only(/^-[asnrvmpio]+$/, constant)],
  ...each("arch hostid", only(/^$/, constant)),
  ...each("true false sleep usleep sync", () => nothing),
  ...each("sort head tail uniq shuf", lines),
  ...each("cut paste join comm col colrm colcrt expand unexpand fold fmt nl pr ptx numfmt column tsort look", changed),
]);
