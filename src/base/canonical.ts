/**
 * RFC 8785 (JSON Canonicalization Scheme): object members sorted by UTF-16 code units, ECMAScript numbers and strings, no
 * white space. Members that are undefined are left out. Throws TypeError for what JSON or I-JSON cannot hold (NaN,
 * infinities, lone surrogates, functions, big integers, cycles).
 */
export function canonical(value: unknown): string {
  return write(value, 0);
}

const deepest = 500;

function write(value: unknown, depth: number): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return numeral(value);
  if (typeof value !== "object") throw new TypeError(`canonical JSON cannot hold a ${typeof value}`);
  if (depth > deepest) throw new TypeError(`canonical JSON is nested deeper than ${deepest} levels`);
  return Array.isArray(value) ? list(value, depth) : members(value as Record<string, unknown>, depth);
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("canonical JSON cannot hold a lone surrogate");
  return JSON.stringify(text);
}

function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value}`);
  return JSON.stringify(value);
}

function list(values: readonly unknown[], depth: number): string {
  return `[${values.map((value) => write(value, depth + 1)).join(",")}]`;
}

function members(value: Record<string, unknown>, depth: number): string {
  const parts: string[] = [];
  // The default order of sort() is that of UTF-16 code units.
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) parts.push(`${quoted(key)}:${write(member, depth + 1)}`);
  }
  return `{${parts.join(",")}}`;
}
