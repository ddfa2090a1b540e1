// What the state folder is given of a fact, a request or a task: the same value, its texts without secrets.
import type { Redacted } from "./firewall.ts";
import { redactJson } from "./scrub.ts";

type Redact = (text: string) => Redacted;

/** Ids, digests and signatures are compared later, and signed reasoning goes back to its vendor as it came. */
const kept = new Set(
  "nonce digest hash tree signature vendorData terms answers envelope plan workspace cwd publicKey".split(" "),
);
/** Below these nothing is kept: a model chose the names. */
const given = new Set(["input", "action"]);

/** The value itself when there is no secret in it, which is looked for in all its texts at once. */
export function storable<T>(value: T, redact: Redact): T {
  const texts: string[] = [];
  gather(value, texts, true);
  if (redact(texts.join("\n\n")).found.length === 0) return value;
  return changed(value, redact, true) as T;
}

const isImage = (value: object): boolean => "type" in value && value.type === "image";

function gather(value: unknown, texts: string[], trusted: boolean): void {
  if (typeof value === "string") {
    if (value.length > 5) texts.push(value);
  } else if (Array.isArray(value)) {
    if (isWords(value)) texts.push(value.join(" "));
    for (const item of value) gather(item, texts, trusted);
  } else if (typeof value === "object" && value !== null && !isImage(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (trusted && kept.has(name)) continue;
      const still = trusted && !given.has(name);
      if (!still && name.length > 5) texts.push(name);
      if (!still && typeof item === "string") texts.push(`${name}="${item}"`);
      gather(item, texts, still);
    }
  }
}

function changed(value: unknown, redact: Redact, trusted: boolean): unknown {
  if (typeof value === "string") return redact(value).text;
  if (Array.isArray(value)) {
    const words = isWords(value) ? redactWords(value, redact) : value;
    return words.map((item: unknown) => changed(item, redact, trusted));
  }
  if (typeof value !== "object" || value === null || isImage(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => {
      if (trusted && kept.has(name)) return [name, item];
      if (!trusted || given.has(name)) return changedGiven(name, item, redact);
      return [name, changed(item, redact, true)];
    }),
  );
}

/** `{"password": "…"}`: the name beside a value gives it away. */
function changedGiven(name: string, item: unknown, redact: Redact): [string, unknown] {
  const text = (each: string) => redact(each).text;
  if (typeof item !== "string") return [text(name), changed(item, redact, false)];
  return [text(name), redactJson({ [name]: item }, text)[text(name)]];
}

const isWords = (value: readonly unknown[]): value is string[] =>
  value.length > 1 && value.every((item) => typeof item === "string");

/** `["--password", "…"]`: the words of a command are looked at side by side. */
function redactWords(words: readonly string[], redact: Redact): string[] {
  const { text, found } = redact(words.join(" "));
  if (found.length === 0) return [...words];
  const marks = marksOf(text, found);
  let at = 0;
  return words.map((word) => {
    const from = at;
    at += word.length + 1;
    let result = word;
    for (const [index, finding] of [...found.entries()].toReversed()) {
      const start = Math.max(0, finding.from - from);
      const end = Math.min(word.length, finding.to - from);
      if (start < end) result = result.slice(0, start) + (marks[index] ?? "") + result.slice(end);
    }
    return result;
  });
}

/** The marks that took the places of what was found, in order. */
function marksOf(text: string, found: Redacted["found"]): string[] {
  let shift = 0;
  return found.map(({ from, to }) => {
    const start = from + shift;
    const mark = text.slice(start, text.indexOf("»", start) + 1);
    shift += mark.length - (to - from);
    return mark;
  });
}
