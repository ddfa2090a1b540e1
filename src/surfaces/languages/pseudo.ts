// A made-up language (locale en_XA) that shows what is not translated, and what overflows: every letter of a sentence has
// an accent, and the sentence is a third longer. What a sentence is given to name stays as it is.
import type { Speech } from "../phrases/phrases.ts";
import { below } from "./de/index.ts";
import { type Templates, teller } from "../phrases/templates.ts";

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accentedLetters = "áƀćďéƒǵĥíĵķĺɱńóƥɋŕśťúṽŵẋýžÁƁĆĎÉƑǴĤÍĴĶĹṀŃÓƤɊŔŚŤÚṼŴẊÝŽ";
const letters = new Map([...plain].map((letter, at) => [letter, [...accentedLetters][at] ?? letter]));

/** What a person types or a program reads: a command, a flag, a path, a quoted name, a key of the configuration. */
const typed = /fettle(?: [a-z]+)*|\/\w+|--?\w[\w-]*|'[^']*'|\b\w+(?:[._]\w+)+|\b[A-Z]{2,}\b|Ctrl-\w|@\w+/g;

function accent(text: string): string {
  const marked = [...text].map((letter) => letters.get(letter) ?? letter).join("");
  return /[a-z]{2}/i.test(text) ? `${marked}${"~".repeat(Math.ceil(text.length / 3))}` : marked;
}

/** `kept`: what the sentence names, which is the same in any language. */
function inPseudo(text: string, kept: readonly string[]): string {
  const names = kept.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${[...names, typed.source].join("|")})`));
  const said = parts.map((part, at) => (at % 2 === 1 ? part : accent(part)));
  return said.join("");
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.trim().length > 1 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

function translated(value: unknown, kept: readonly string[]): unknown {
  if (typeof value === "string") return inPseudo(value, kept);
  if (typeof value === "function")
    return (...given: unknown[]) => translated(value(...given) as unknown, given.flatMap(textsIn));
  if (Array.isArray(value)) return value.map((one) => translated(one, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translated(one, kept)]));
}

const known = new WeakMap<object, object>();

/** What comes from below the surface and has its German: what stays plain has none. */
const accented: Templates = below.map(([text]) => [
  text,
  text
    .split("{}")
    .map((part) => inPseudo(part, []))
    .join("{}"),
]);

export const pseudo: Speech = {
  tag: "en-XA",
  told: teller(accented),
  sentences(_room, english) {
    const found = known.get(english) ?? (translated(english, []) as object);
    known.set(english, found);
    return found;
  },
};
