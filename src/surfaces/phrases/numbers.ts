// Numbers as the language that is spoken writes them, by the rules of `Intl`.
import { languageTag } from "./phrases.ts";

let rules: Intl.PluralRules | undefined;
let formats = new Map<number | undefined, Intl.NumberFormat>();
let tag = "";

function newLanguage(): void {
  if (tag === languageTag()) return;
  tag = languageTag();
  rules = undefined;
  formats = new Map();
}

export function pluralForm(number: number): Intl.LDMLPluralRule {
  newLanguage();
  if (tag === "en" && Number.isInteger(number)) return number === 1 ? "one" : "other";
  rules ??= new Intl.PluralRules(tag);
  return rules.select(number);
}

/** `digits`: so many behind the point; without it as many as the number has. */
export function decimal(number: number, digits?: number): string {
  newLanguage();
  // The first format costs 20 ms: English needs one only where it groups digits.
  if (tag === "en" && Math.abs(number) < 999.5) return digits === undefined ? String(number) : number.toFixed(digits);
  let format = formats.get(digits);
  if (format === undefined) {
    const exactly = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = new Intl.NumberFormat(tag, exactly);
    formats.set(digits, format);
  }
  return format.format(number);
}
