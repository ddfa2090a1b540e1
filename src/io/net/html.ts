// HTML as readable text: a scanner that never backtracks. Structure that helps a reader is kept: headings, lists, links.
import { entryOf } from "../../base/entry.ts";
import named from "../../../assets/html-entities.json" with { type: "json" };

const hidden = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe", "object", "canvas"]);
const blocks = new Set(
  (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr li main nav ol p pre section summary table tbody thead tr ul"
  ).split(" "),
);

interface Tag {
  name: string;
  closing: boolean;
  text: string;
  end: number;
}

export function htmlToText(html: string): string {
  const out: string[] = [];
  const links: string[] = [];
  const unclosed = new Set<string>();
  let pre = 0;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const text = decodeEntities(html.slice(at, open < 0 ? html.length : open));
    out.push(pre > 0 ? text : text.replace(/\s+/g, " "));
    if (open < 0) break;
    const tag = readTag(html, open);
    if (!tag) {
      out.push("<");
      at = open + 1;
      continue;
    }
    at = tag.end;
    if (hidden.has(tag.name) && !tag.closing) at = skip(html, tag, unclosed);
    else if (tag.name === "a") out.push(link(tag, links));
    else if (tag.name === "pre") pre = Math.max(0, pre + (tag.closing ? -1 : 1));
    out.push(mark(tag));
  }
  return tidy(out.join(""));
}

/** The tag or comment that starts at `open`; undefined when `<` is only a character. */
function readTag(html: string, open: number): Tag | undefined {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return { name: "", closing: false, text: "", end: end < 0 ? html.length : end + 3 };
  }
  const second = html.charCodeAt(open + 1) | 32;
  const third = html.charCodeAt(open + 2) | 32;
  const isLetter = (code: number) => code >= 97 && code <= 122;
  const closing = html[open + 1] === "/";
  if (!(isLetter(second) || (closing && isLetter(third)) || html[open + 1] === "!" || html[open + 1] === "?")) {
    return undefined;
  }
  let quote = "";
  let end = open + 1;
  for (; end < html.length; end++) {
    const character = html[end] ?? "";
    if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") break;
  }
  const text = html.slice(open + (closing ? 2 : 1), end);
  return { name: (/^[a-z][a-z0-9]*/i.exec(text)?.[0] ?? "").toLowerCase(), closing, text, end: end + 1 };
}

/** Behind the end of a hidden element. `unclosed`: names that no end follows any more; looked for once, a page may be hostile. */
function skip(html: string, tag: Tag, unclosed: Set<string>): number {
  if (tag.text.endsWith("/") || unclosed.has(tag.name)) return tag.end;
  const closing = new RegExp(`</${tag.name}\\b`, "gi");
  closing.lastIndex = tag.end;
  const end = closing.test(html) ? html.indexOf(">", closing.lastIndex) : -1;
  if (end < 0) unclosed.add(tag.name);
  return end < 0 ? tag.end : end + 1;
}

function mark(tag: Tag): string {
  if (tag.name === "br") return "\n";
  if (tag.name === "td" || tag.name === "th") return tag.closing ? " | " : "";
  if (!blocks.has(tag.name)) return "";
  const level = /^h([1-6])$/.exec(tag.name)?.[1];
  if (level && !tag.closing) return `\n\n${"#".repeat(Number(level))} `;
  if (tag.name === "li" && !tag.closing) return "\n- ";
  if (tag.name === "hr") return "\n\n---\n\n";
  return ["li", "tr", "dt", "dd", "tbody", "thead"].includes(tag.name) ? "\n" : "\n\n";
}

function link(tag: Tag, open: string[]): string {
  if (tag.closing) {
    const target = open.pop();
    return target ? `](${target})` : "";
  }
  const found = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag.text);
  const target = decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? "").trim();
  const kept = /^(https?:|\/|\.)/i.test(target) ? target : "";
  open.push(kept);
  return kept ? "[" : "";
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return entryOf(named, entity) ?? whole;
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** A pattern would look at each of many blanks again from the one before it. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => withoutBlanksAtEnd(line).replace(/^ (?=\S)/, ""))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
