// Which definitions of a text other files may use, as far as the text itself says it.
import type { GrammarName } from "../grammars.ts";
import type { CodeSymbol } from "./spec.ts";

type Rule = (symbol: CodeSymbol, line: string) => boolean;

const isTop: Rule = ({ within }) => within === "";

const ecmaList = /\bexport\s*\{([^}]{1,4000})\}(?!\s*from\b)|\bmodule\.exports\s*=\s*\{([^}]{1,4000})\}/g;
const ecmaOne =
  /\bexport\s+default\s+([A-Za-z_$][\w$]*)\s*;?\s*$|\bmodule\.exports\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$/gm;
const ecmaSet = /^\s*(?:module\.)?exports\.[\w$]+\s*=/;

function ecma(text: string): Rule {
  const listed = new Set<string>();
  for (const [, braces, object] of text.matchAll(ecmaList))
    for (const each of (braces ?? object ?? "").split(","))
      listed.add(/^\s*(?:type\s+)?([\w$]+)/.exec(each)?.[1] ?? "");
  for (const [, first, second] of text.matchAll(ecmaOne)) listed.add(first ?? second ?? "");
  return ({ name, within }, line) =>
    within === "" && (/^\s*(?:export|@)\b/.test(line) || ecmaSet.test(line) || listed.has(name));
}

function python(text: string): Rule {
  const all = /^__all__\s*[:=][^[(]*[[(]([^\])]*)[\])]/m.exec(text)?.[1];
  const listed = all === undefined ? undefined : new Set([...all.matchAll(/["'](\w+)["']/g)].map(([, name]) => name));
  return ({ name, within }) => within === "" && (listed ? listed.has(name) : !name.startsWith("_"));
}

const isPublic: Rule = (_symbol, line) => /\bpublic\b/.test(line);

const rules: Readonly<Partial<Record<GrammarName, (text: string) => Rule>>> = {
  ...{ typescript: ecma, tsx: ecma, javascript: ecma, python },
  go: () => (symbol) => /^\p{Lu}/u.test(symbol.name) && symbol.kind !== "field",
  rust: () => (_symbol, line) => /^\s*pub\b(?!\s*\((?:self|super|in)\b)/.test(line),
  java: () => isPublic,
  "c-sharp": () => isPublic,
  cpp: () => (symbol, line) => symbol.kind !== "variable" && !/^\s*static\b/.test(line),
  ruby: () => isTop,
  php: () => isTop,
};

/** A definition that begins with an annotation says on one of the next lines what it is. */
const mostHead = 3;

/** `grammar` undefined: functions of a script, which whoever sources it may call. */
export function markExports(symbols: readonly CodeSymbol[], text: string, grammar: GrammarName | undefined): void {
  if (symbols.length === 0) return;
  const rule = grammar === undefined ? isTop : rules[grammar]?.(text);
  if (!rule) return;
  const lines = text.split("\n");
  for (const symbol of symbols) {
    const from = symbol.line - 1;
    const isAnnotated = /^\s*[@[#]/.test(lines[from] ?? "");
    const head = isAnnotated ? lines.slice(from, Math.min(symbol.end, from + mostHead)).join(" ") : (lines[from] ?? "");
    symbol.exported = rule(symbol, head.replace(/^\s*@[\w.]+(?:\([^)]*\))?\s*/, "").slice(0, 400));
  }
}
