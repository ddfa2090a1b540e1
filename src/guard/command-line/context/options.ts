// Reads arguments by a row's option grammar (rules/row.ts).
import type { Risk } from "../../../protocol/effect.ts";
import { hole, type Text } from "../syntax/text.ts";

interface OptionRule {
  value: "none" | "next" | "attached";
  access: string;
  risk: Risk | undefined;
}

interface Grammar {
  options: Map<string, OptionRule>;
  any: boolean;
  numbers: boolean;
  /** Knows options like `-config`: then `-config` is never `-c onfig`. */
  words: boolean;
}

export interface Arguments {
  given: { name: string; rule: OptionRule; value: Text | undefined }[];
  operands: Text[];
  unknown: Text[];
}

const cache = new Map<string, Grammar>();

export function grammarOf(source: string): Grammar {
  const known = cache.get(source);
  if (known) return known;
  const grammar: Grammar = { options: new Map(), any: false, numbers: false, words: false };
  for (const token of source.split(/\s+/).filter(Boolean)) {
    if (token === "*") grammar.any = true;
    else if (token === "-#") grammar.numbers = true;
    else {
      const found = /^(-[^:?!]+)(\?)?(:[a-z]?)?(?:!(\d))?$/.exec(token);
      if (!found) throw new Error(`option table: ${token}`);
      const [, name = "", optional, value, risk] = found;
      if (/^-[a-zA-Z_]{4,}$/.test(name)) grammar.words = true;
      grammar.options.set(name, {
        value: optional ? "attached" : value ? "next" : "none",
        access: value?.slice(1) ?? "",
        risk: risk ? (`L${risk}` as Risk) : undefined,
      });
    }
  }
  cache.set(source, grammar);
  return grammar;
}

const rest = (text: Text, from: number): Text => ({
  ...text,
  value: text.value.slice(from),
  tilde: text.value[from] === "~",
});

/** Options whose value is surely the next word, whatever it looks like. */
const patterns = /^(-e|--regexp)$/;

/**
 * `strict` ends the options at the first operand. A value that stands alone and looks like an option counts as an unknown one, too:
 * a program may take it for what it looks like (`git diff -U --output=FILE` writes).
 */
export function readArguments(argv: readonly Text[], grammar: Grammar, strict = false): Arguments {
  const result: Arguments = { given: [], operands: [], unknown: [] };
  let index = 0;
  const next = (name: string): Text | undefined => {
    const value = argv[++index];
    if (value && /^--[a-z]/i.test(value.value) && !patterns.test(name)) result.unknown.push(value);
    return value;
  };
  for (; index < argv.length; index++) {
    const text = argv[index];
    if (!text) continue;
    const value = text.value;
    if (value === "--") {
      result.operands.push(...argv.slice(index + 1));
      break;
    }
    if (value === "-" || !value.startsWith("-")) {
      result.operands.push(text);
      if (strict) {
        result.operands.push(...argv.slice(index + 1));
        break;
      }
    } else if (!readWhole(text, grammar, result, next) && !readShort(text, grammar, result, next)) {
      if (grammar.any)
        result.given.push({ name: value, rule: { value: "none", access: "", risk: undefined }, value: undefined });
      else result.unknown.push(text);
    }
  }
  return result;
}

/** `--long`, `--long=value`, `-name` and `-x value`. */
function readWhole(text: Text, grammar: Grammar, result: Arguments, next: (name: string) => Text | undefined): boolean {
  const value = text.value;
  const equals = value.indexOf("=");
  const name = equals > 0 ? value.slice(0, equals) : value;
  if (name.includes(hole)) return false;
  const rule = grammar.options.get(name);
  if (!rule)
    return (
      grammar.numbers &&
      /^-\d+$/.test(value) &&
      result.given.push({ name: "-#", rule: { value: "none", access: "", risk: undefined }, value: undefined }) > 0
    );
  if (equals > 0) {
    if (rule.value === "none") return false;
    result.given.push({ name, rule, value: rest(text, equals + 1) });
  } else result.given.push({ name, rule, value: rule.value === "next" ? next(name) : undefined });
  return true;
}

/** `-abc`, `-n5`: every letter must be known, the first with a value takes the rest. */
function readShort(text: Text, grammar: Grammar, result: Arguments, next: (name: string) => Text | undefined): boolean {
  const value = text.value;
  if (value.startsWith("--")) return false;
  const found: Arguments["given"] = [];
  let takesNext: OptionRule | undefined;
  for (let index = 1; index < value.length; index++) {
    const name = `-${value[index]}`;
    const rule = grammar.options.get(name);
    if (!rule) {
      const digits = grammar.numbers ? /^\d+/.exec(value.slice(index))?.[0].length : undefined;
      if (!digits) return false;
      index += digits - 1;
      continue;
    }
    if (rule.value === "none") {
      found.push({ name, rule, value: undefined });
      continue;
    }
    if (index + 1 < value.length && grammar.words && /^-[a-z]{4,}$/i.test(value)) return false;
    if (index + 1 < value.length) found.push({ name, rule, value: rest(text, index + 1) });
    else if (rule.value === "next") takesNext = rule;
    else found.push({ name, rule, value: undefined });
    if (takesNext) found.push({ name, rule, value: next(name) });
    break;
  }
  result.given.push(...found);
  return true;
}
