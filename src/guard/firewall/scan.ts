// Finds secrets in a text: positions, kinds, nothing else.
import { assignmentPattern, type SecretPattern, secretPatterns } from "./patterns.ts";

export interface Finding {
  from: number;
  to: number;
  kind: string;
}

/** `.env` files: every value is taken for a secret, however plain it looks. */
export type Reading = "ordinary" | "environment";

/** Non-overlapping, in order. */
export function scan(text: string, reading: Reading = "ordinary"): Finding[] {
  const found: Finding[] = [];
  for (const row of secretPatterns) {
    if (row.triggers.some((trigger) => text.includes(trigger))) collect(text, row, found);
  }
  if (mayAssign.test(text)) collect(text, assignmentPattern, found);
  if (reading === "environment") collectValues(text, found);
  return found.length < 2 ? found : withoutOverlaps(found);
}

const mayAssign = /(?:key|secret|token|passw|passphrase|credential)[\w"'`\] \t-]{0,44}[:=]/i;

function collect(text: string, row: SecretPattern, found: Finding[]): void {
  row.pattern.lastIndex = 0;
  for (const match of text.matchAll(row.pattern)) {
    const secret = match.groups?.["secret"] ?? match[0];
    const offset = secret === match[0] ? 0 : match[0].lastIndexOf(secret);
    if (row.confirm && !row.confirm(secret, match[0].slice(0, offset))) continue;
    found.push({ from: match.index + offset, to: match.index + offset + secret.length, kind: row.kind });
  }
}

const valueLine =
  /^[^\S\n]*(?:[^\n]{0,10}?[\t|:→])?(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?<secret>"(?:[^"\\\n]|\\.)+"|'[^'\n]+'|[^\s#"'«][^\n#«]*)/gm;

function collectValues(text: string, found: Finding[]): void {
  for (const match of text.matchAll(valueLine)) {
    const raw = match.groups?.["secret"] ?? "";
    const quoted = raw.startsWith('"') || raw.startsWith("'");
    const secret = quoted ? raw.slice(1, -1) : raw.trimEnd();
    if (secret === "" || secret.includes("«secret:")) continue;
    const from = match.index + match[0].length - raw.length + (quoted ? 1 : 0);
    found.push({ from, to: from + secret.length, kind: "value" });
  }
}

/** The earlier one wins, of two that start together the longer. */
function withoutOverlaps(found: Finding[]): Finding[] {
  const sorted = found.toSorted((left, right) => left.from - right.from || right.to - left.to);
  const kept: Finding[] = [];
  let end = 0;
  for (const each of sorted) {
    if (each.from < end) continue;
    kept.push(each);
    end = each.to;
  }
  return kept;
}
