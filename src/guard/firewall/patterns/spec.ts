// How a pattern says where it may stand, so that a text is gone through once, whatever the number of patterns.
import { filled } from "./entropy.ts";

export interface Pattern {
  kind: string;
  /** One of these stands in every match; letters' case does not matter. */
  triggers: readonly string[];
  /** Sticky, tried where the trigger begins, or where `start` says. The secret is the group `secret`, else all of it. */
  readonly pattern: RegExp;
  /** Of the trigger's place, the match's; undefined where there can be none. */
  start?: (text: string, at: number) => number | undefined;
  confirm?: (secret: string, match: RegExpExecArray) => boolean;
}

const classes: Readonly<Record<string, string>> = {
  "%a": "[A-Za-z0-9]",
  "%w": "[A-Za-z0-9_-]",
  "%h": "[0-9a-fA-F]",
  "%u": "[A-Z0-9]",
  "%l": "[a-z0-9]",
  "%g": "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
};

export const expanded = (body: string): string => body.replace(/%[awhulg]/g, (name) => classes[name] ?? name);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A beginning with a mark in it stands nowhere in base64 by chance; others need a border on both sides. */
const marked = /[_.:$ -]/;

export function prefixed(kind: string, beginnings: readonly string[], body: string): Pattern {
  let pattern: RegExp | undefined;
  let longest: number | undefined;
  return {
    kind,
    triggers: beginnings,
    // Most are never needed, and there are hundreds.
    get pattern() {
      return (pattern ??= new RegExp(prefixedSource(beginnings, body), "y"));
    },
    confirm(secret) {
      longest ??= Math.max(...beginnings.map((text) => text.length));
      return filled(secret.slice(Math.min(longest, secret.length - 8)));
    },
  };
}

function prefixedSource(beginnings: readonly string[], body: string): string {
  const chance = beginnings.some((text) => !marked.test(text));
  const border = chance ? "[A-Za-z0-9+/_-]" : "[A-Za-z0-9]";
  const after = chance ? border : "[A-Za-z0-9_-]";
  return `(?<!${border})(?:${beginnings.map(escaped).join("|")})${expanded(body)}(?!${after})`;
}

/** Characters of `set` before `at`, at most `most`. */
export function backOver(text: string, at: number, set: RegExp, most: number): number {
  let from = at;
  while (from > 0 && at - from < most && set.test(text.charAt(from - 1))) from--;
  return from;
}

/** Where the line of `at` begins, or `most` characters before it: a text may have no lines at all. */
export function lineStart(text: string, at: number, most: number): number {
  const before = text.slice(Math.max(0, at - most), at);
  const line = before.lastIndexOf("\n");
  return at - before.length + line + 1;
}
