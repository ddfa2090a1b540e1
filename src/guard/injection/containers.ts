// Places of a page that its reader does not see, and links that would carry something away.
import type { Finding } from "./characters.ts";
import type { Range } from "./sentences.ts";

const longest = 4000;

const invisible =
  "display\\s?:\\s?none|visibility\\s?:\\s?(?:hidden|collapse)|font(?:-size)?\\s?:\\s?[01](?:px|pt|em|%)?(?![.\\d])|opacity\\s?:\\s?0(?:\\.0[0-9])?(?![.\\d])|(?:^|[^-\\w])color\\s?:\\s?(?:#fff(?:fff)?\\b|white|transparent|rgba?\\(255)|(?:left|top|right|bottom|margin-left|text-indent)\\s?:\\s?-\\d{3}|clip(?:-path)?\\s?:\\s?(?:rect\\(0|inset\\((?:50|100)%)|scale\\(0\\)|max-height\\s?:\\s?0|\\scolor\\s?=\\s?\\\\?[\"']?(?:white|#fff)|\\shidden\\b|aria-hidden|class\\s?=\\s?\\\\?[\"'](?:[^\"'<>]{0,80} )?(?:sr-only|visually-?hidden|screen-reader(?:-text)?|d-none|hidden|invisible)\\b|type\\s?=\\s?\\\\?[\"'](?:text/(?!javascript|css|babel|html)|application/(?:ld\\+json|x-))";
const unseen = new RegExp(
  `<[a-z][^<>]{0,300}?(?:${invisible})[^<>]{0,300}>|<(?:template|noscript|metadata|desc|noframes)\\b[^<>]{0,300}>`,
  "gi",
);
const attributes =
  /\b(?:alt|title|aria-label|aria-description|content|placeholder|summary|data-[a-z-]{1,20}|value)\s?=\s?\\?(?:"([^"]{8,2000})"|'([^']{8,2000})')/gi;
const markdown: readonly RegExp[] = [
  /\[[^\]\n]{0,20}\]:[^\n"'(]{0,300}[("']([^\n]{8,2000})/g,
  /!\[([^\]\n]{8,1000})\]\(/g,
  /\]\([^)\s]{1,300}\s{1,4}"([^"\n]{8,1000})"\s{0,4}\)/g,
  /\]\([^)\s]{1,300}\s{1,4}'([^'\n]{8,1000})'\s{0,4}\)/g,
];
/** Each with a sign that is looked for first. */
const others: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ["\n..", /\n\.\. (?![^\s:]{1,40}::|[_[|])([^\n]{8,2000}(?:\n {1,8}[^\n]{1,500}){0,20})/g],
  ["COMMENT", /#\+begin_comment\b([^]{8,2000}?)#\+end_comment/gi],
  // Written over, or far from what a window shows.
  ["\r", /(?<![^\r\n])([^\r\n]{8,2000})\r(?=[^\r\n]{8})/g],
  ["\b", /(?<![^\n\b])([^\n\b]{8,2000})[\b]{8,2000}/g],
  ["    ", /\S[ \t]{80,20000}([^\n]{8,2000})/g],
  ["\t\t", /\S\t{20,20000}([^\n]{8,2000})/g],
  ["\n\n\n", /(?<!\s)(?:\n[ \t]{0,8}){40,20000}([^\n]{8,2000}(?:\n[^\n]{1,500}){0,20})/g],
  // Keys that programs are to pass over.
  ['":', /"(?:_\w{0,30}|\/\/[^"\n]{0,30}|\$comment|x-[\w-]{1,30})"\s{0,4}:\s{0,4}"([^"\n]{8,2000})"/g],
];

const latex: readonly RegExp[] = [
  /\\(?:textcolor|color|colorbox)\s?\{(?:white|transparent)\}\s?\{?([^}\n]{8,2000})/g,
  /\\(?:h|v)?phantom\{([^}\n]{8,2000})/g,
];

/** What a string of JSON or code says, each character at its place: an escape is a blank and what it stands for. */
const escaped: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
export const unescapedInPlace = (text: string): string =>
  text.includes("\\") ? text.replace(/\\(["'`nrt\\/])/g, (_whole, sign: string) => ` ${escaped[sign] ?? sign}`) : text;

/** Where `close` follows, looked for no further than such a text may be long. */
function endOf(text: string, close: string, from: number): number {
  const at = text.slice(from, from + longest).indexOf(close);
  return from + (at < 0 ? longest : at);
}

const instruction = /^<\?(?!xml\b|php\b|=)[\w-]{0,30}\s?/;

/** `<?name text?>`. As a pattern each of many that never end would be followed as far as one may be long. */
function instructionRanges(text: string): [number, number][] {
  const found: [number, number][] = [];
  let end = -1;
  for (let at = text.indexOf("<?"); at >= 0; at = text.indexOf("<?", Math.max(at + 2, found.at(-1)?.[1] ?? 0))) {
    if (end < at + 2) end = text.indexOf("?>", at + 2);
    if (end < 0) break;
    const head = instruction.exec(text.slice(at, at + 40));
    const from = at + (head?.[0].length ?? 0);
    if (head && end - from >= 8 && end - from <= 2000) found.push([from, end]);
  }
  return found;
}

/** Where hidden text stands, in order of its start. */
export function hiddenRanges(written: string): Range[] {
  const text = unescapedInPlace(written);
  const found: [number, number][] = [...instructionRanges(text)];
  if (text.includes("<!--")) {
    for (let at = text.indexOf("<!--"); at >= 0; at = text.indexOf("<!--", found.at(-1)?.[1])) {
      found.push([at, endOf(text, "-->", at)]);
    }
  }
  if (text.includes("<")) {
    for (const match of text.matchAll(unseen)) {
      const from = match.index + match[0].length;
      found.push([from, endOf(text, "</", from)]);
    }
  }
  for (const pattern of [
    ...(/=\s?["']/.test(text) ? [attributes] : []),
    ...(text.includes("](") || text.includes("]:") ? markdown : []),
    ...others.filter(([sign]) => text.includes(sign)).map(([, pattern]) => pattern),
    ...latex,
  ]) {
    // In LaTeX, what begins with `\t` is no tab.
    for (const match of (latex.includes(pattern) ? written : text).matchAll(pattern)) {
      const inside = match[1] ?? match[2] ?? "";
      const from = match.index + match[0].lastIndexOf(inside);
      found.push([from, from + inside.length]);
    }
  }
  return found.sort((left, right) => left[0] - right[0]);
}

const carried =
  "(?:conversation|history|chat|context|prompt|secret|password|message|summary|answer|user[ _-]?(?:data|info|name|query|question|message|input)|api[ _-]?key|credential|token|ssn|private)";
const blank = "(?:\\{\\{?|<|\\[|\\$\\{|%7b|%24)";
const leaving = new RegExp(
  `!?\\[[^\\]\\n]{0,200}\\]\\([ <]{0,2}https?://[^)\\n]{1,300}?${blank}[^)\\n]{0,100}?${carried}|<img[^<>]{1,200}src\\s?=\\s?["']?https?:[^"'<>]{1,300}(?:\\{\\{|\\$\\{|\\[)[^"'<>]{0,100}(?:conversation|history|chat|prompt|secret|password|summary)`,
  "gi",
);

/** Pictures and links whose address is to be filled with what was said. */
export function leavingLinks(text: string): Finding[] {
  if (!text.includes("://")) return [];
  return [...text.matchAll(leaving)]
    .slice(0, 20)
    .map((match) => ({ rule: "link that carries data away", start: match.index, end: match.index + match[0].length }));
}
