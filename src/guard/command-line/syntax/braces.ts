// Brace expansion on source text, before any other expansion, as bash does it.

const most = 64;

interface Group {
  start: number;
  end: number;
  items: string[];
}

/** Index just after a quoted or escaped stretch or a substitution that begins at `at`; `at` when none does. */
function skip(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'" || char === '"' || char === "`") {
    for (let index = at + 1; index < text.length; index++) {
      if (text[index] === "\\" && char !== "'") index++;
      else if (text[index] === char) return index + 1;
    }
    return text.length;
  }
  if (char === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) {
    const open = text[at + 1] ?? "";
    const close = open === "{" ? "}" : ")";
    let depth = 0;
    for (let index = at + 1; index < text.length; index++) {
      if (text[index] === open) depth++;
      else if (text[index] === close && --depth === 0) return index + 1;
    }
    return text.length;
  }
  return at;
}

function groupAt(text: string, start: number, budget: { left: number }): Group | undefined {
  let depth = 0;
  let from = start + 1;
  const items: string[] = [];
  for (let index = start; index < text.length && budget.left-- > 0; ) {
    const next = skip(text, index);
    if (next > index) {
      index = next;
      continue;
    }
    const char = text[index];
    if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      items.push(text.slice(from, index));
      from = index + 1;
    } else if (char === "}" && --depth === 0) {
      const last = text.slice(from, index);
      if (items.length > 0) return { start, end: index + 1, items: [...items, last] };
      const sequence = sequenceOf(last);
      return sequence ? { start, end: index + 1, items: sequence } : undefined;
    }
    index++;
  }
  return undefined;
}

function sequenceOf(text: string): string[] | undefined {
  const parts = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, first = "", last = "", by] = parts;
  const letters = /[A-Za-z]/.test(first);
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const items: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (items.length >= most) return undefined;
    items.push(letters ? String.fromCharCode(value) : String(value));
  }
  return items;
}

/** Characters looked at for one word: braces within braces, or braces that nothing closes, are looked through again and again. */
const mostLooked = 300_000;

/** All words that a word's source expands to; undefined when there are too many to look at. */
export const expandBraces = (text: string): string[] | undefined => expanded(text, { left: mostLooked });

function expanded(text: string, budget: { left: number }): string[] | undefined {
  for (let index = 0; index < text.length; ) {
    const next = skip(text, index);
    if (next > index) {
      index = next;
      continue;
    }
    if (budget.left < 0) return undefined;
    const group = text[index] === "{" ? groupAt(text, index, budget) : undefined;
    if (!group) {
      index++;
      continue;
    }
    const before = text.slice(0, group.start);
    const result: string[] = [];
    for (const item of group.items) {
      const rest = expanded(item + text.slice(group.end), budget);
      if (!rest) return undefined;
      result.push(...rest.map((end) => before + end));
      if (result.length > most) return undefined;
    }
    return result;
  }
  return [text];
}
