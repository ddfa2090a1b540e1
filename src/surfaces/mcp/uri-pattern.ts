// Whether an address fits a pattern that a server offers (RFC 6570). By hand, in time that grows with the lengths alone: a server
// is a stranger, and an expression made of its pattern could be one that never ends.

interface Variable {
  /** `?` and `&`: a query, which may be missing. */
  optional: boolean;
  /** `+`, `#` and `/`: its value may hold a slash. */
  deep: boolean;
}

const longest = 8_000;

export function fitsPattern(uri: string, pattern: string): boolean {
  if (uri.length > longest || pattern.length > longest) return false;
  const [first = "", ...rest] = pattern.split("{");
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const [place, piece] of rest.entries()) {
    const end = piece.indexOf("}");
    if (end < 0) return false;
    const literal = piece.slice(end + 1);
    const { optional, deep } = variableOf(piece);
    const from = at + (optional ? 0 : 1);
    const last = place === rest.length - 1;
    const found = last ? lastPlace(uri, literal) : uri.indexOf(literal, from);
    if (found < from || (!deep && uri.slice(at, found).includes("/"))) return false;
    at = found + literal.length;
  }
  return at === uri.length;
}

const variableOf = (expression: string): Variable => ({
  optional: /^[?&]/.test(expression),
  deep: /^[+#/?&]/.test(expression),
});

const lastPlace = (uri: string, literal: string): number => (uri.endsWith(literal) ? uri.length - literal.length : -1);
