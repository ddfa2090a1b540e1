// Values of a front matter, changed where they stand. Other lines, comments and unknown keys stay as they are.
import { inserted, joined, type RawLine, rawLines } from "./raw-lines.ts";

export type HeadScalar = string | number | boolean;
export type HeadValues = Readonly<Record<string, HeadScalar | Readonly<Record<string, HeadScalar>>>>;

/** A text without a head gets one. */
export function withHead(text: string, values: HeadValues): string {
  if (Object.keys(values).length === 0) return text;
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  let lines = rawLines(text.slice(mark.length));
  if (headEnd(lines) === undefined) lines = inserted(lines, 0, ["---", "---", ""]);
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === "object")
      for (const [inner, scalar] of Object.entries(value)) lines = setInner(lines, key, inner, scalar);
    else lines = setTop(lines, key, value);
  }
  return mark + joined(lines);
}

/** The number of the line that closes the head. */
function headEnd(lines: readonly RawLine[]): number | undefined {
  if (lines[0]?.text.trimEnd() !== "---") return undefined;
  const at = lines.findIndex(({ text }, place) => place > 0 && text.trimEnd() === "---");
  return at < 0 ? undefined : at;
}

interface Found {
  at: number;
  /** One past the last line that belongs to it. */
  to: number;
  before: string;
  value: string;
  comment: string;
}

const escaped = (key: string): string => key.replace(/[^\w]/g, "\\$&");

function find(
  lines: readonly RawLine[],
  key: string,
  [from, to]: readonly [number, number],
  indent = "",
): Found | undefined {
  const shape = new RegExp(`^(${indent}["']?${escaped(key)}["']?[ \\t]*:)(.*)$`);
  for (let at = from; at < to; at += 1) {
    const [, before, rest = ""] = shape.exec(lines[at]?.text ?? "") ?? [];
    if (before === undefined) continue;
    const deep = /^\s*/.exec(lines[at]?.text ?? "")?.[0].length ?? 0;
    let end = at + 1;
    while (end < to && belongs(lines[end]?.text ?? "", deep)) end += 1;
    const [, value = "", comment = ""] =
      /^((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#]|(?<=\S)#)*?)(\s+#.*|\s*)$/.exec(rest) ?? [];
    return { at, to: end, before, value: value.trim(), comment };
  }
  return undefined;
}

/** Deeper lines, and items of a list at the same depth. */
const belongs = (text: string, deep: number): boolean =>
  text.trim() !== "" && ((/^[ \t]*/.exec(text)?.[0].length ?? 0) > deep || /^\s*- /.test(text));

function setTop(lines: readonly RawLine[], key: string, value: HeadScalar): RawLine[] {
  const end = headEnd(lines) ?? 0;
  const found = find(lines, key, [1, end]);
  if (!found) return inserted(lines, end, [`${key}: ${yamlOf(value)}`]);
  return replaced(lines, found, value);
}

function setInner(lines: readonly RawLine[], key: string, inner: string, value: HeadScalar): RawLine[] {
  const end = headEnd(lines) ?? 0;
  const group = find(lines, key, [1, end]);
  if (!group) return inserted(lines, end, [`${key}:`, `  ${inner}: ${yamlOf(value)}`]);
  if (group.value.startsWith("{")) return setFlow(lines, group, inner, value);
  if (group.value !== "" && !/^(?:null|~)$/.test(group.value)) return [...lines];
  const found = find(lines, inner, [group.at + 1, group.to], "[ \\t]+");
  if (found) return replaced(lines, found, value);
  const indent = /^[ \t]*/.exec(lines[group.at + 1]?.text ?? "")?.[0] || "  ";
  const made = inserted(lines, group.to, [`${group.to > group.at + 1 ? indent : "  "}${inner}: ${yamlOf(value)}`]);
  const opening = made[group.at];
  if (group.value !== "" && opening) made[group.at] = { ...opening, text: group.before };
  return made;
}

function setFlow(lines: readonly RawLine[], group: Found, inner: string, value: HeadScalar): RawLine[] {
  const line = lines[group.at];
  if (!line || !group.value.endsWith("}")) return [...lines];
  const shape = new RegExp(`([{,]\\s*["']?${escaped(inner)}["']?\\s*:\\s*)([^,}]*?)(\\s*[,}])`);
  const words = yamlOf(value);
  const empty = /^\{\s*\}$/.test(group.value);
  const text = shape.test(line.text)
    ? line.text.replace(shape, (_all, before: string, _old: string, after: string) => before + words + after)
    : line.text.replace(/\s*\}(?=[^}]*$)/, () => `${empty ? "" : ", "}${inner}: ${words}}`);
  return lines.with(group.at, { ...line, text });
}

/** A value that says the same already stays as it is written. */
function replaced(lines: readonly RawLine[], found: Found, value: HeadScalar): RawLine[] {
  const line = lines[found.at];
  if (!line || (found.to === found.at + 1 && sameAs(found.value, value))) return [...lines];
  const text = `${found.before} ${yamlOf(value)}${found.comment.trimEnd() === "" ? "" : found.comment}`;
  return [...lines.slice(0, found.at), { ...line, text }, ...lines.slice(found.to)];
}

function sameAs(written: string, value: HeadScalar): boolean {
  const bare = /^(?:"((?:[^"\\])*)"|'([^']*)')$/.exec(written);
  if (bare) return typeof value === "string" && (bare[1] ?? bare[2]) === value;
  return written === yamlOf(value);
}

/** What YAML would read as something else than this text is quoted. */
function yamlOf(value: HeadScalar): string {
  if (typeof value !== "string") return String(value);
  const plain = /^[A-Za-z][\w .,/()-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  return plain && value === value.trim() ? value : JSON.stringify(value);
}
