// Places of a page that its reader does not see, and links that would carry something away.
import type { Finding } from "./characters.ts";
import type { Range } from "./sentences.ts";

const longest = 4000;

const unseen =
  /<[a-z][^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:#fff(?:fff)?\b|white|transparent)|(?:left|top|text-indent)\s?:\s?-\d{3}|\shidden\b|aria-hidden)[^<>]{0,300}>/gi;
const attributes =
  /\b(?:alt|title|aria-label|aria-description|content|placeholder|summary|data-[a-z-]{1,20})\s?=\s?\\?(?:"([^"]{8,2000})"|'([^']{8,2000})')/gi;
const markdown: readonly RegExp[] = [
  /^\[[^\]\n]{0,20}\]:[^\n]{0,20}[("']([^\n]{8,2000})[)"']/gm,
  /!\[([^\]\n]{8,1000})\]\(/g,
  /\]\([^)\s]{1,300}\s{1,4}"([^"\n]{8,1000})"\)/g,
];

/** Where `close` follows, looked for no further than such a text may be long. */
function endOf(text: string, close: string, from: number): number {
  const at = text.slice(from, from + longest).indexOf(close);
  return from + (at < 0 ? longest : at);
}

/** Where hidden text stands, in order of its start. */
export function hiddenRanges(text: string): Range[] {
  const found: [number, number][] = [];
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
  const valued = /=\\?["']/.test(text) ? [attributes] : [];
  for (const pattern of [...valued, ...(text.includes("](") || text.includes("]:") ? markdown : [])]) {
    for (const match of text.matchAll(pattern)) {
      const inside = match[1] ?? match[2] ?? "";
      const from = match.index + match[0].lastIndexOf(inside);
      found.push([from - 1, from + inside.length]);
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
