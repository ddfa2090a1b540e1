// Secrets that are known to be some, because a file that is kept for secrets holds them: found wherever they appear.
import { Automaton } from "./automaton.ts";
import { looksChosen } from "./patterns/entropy.ts";
import { promiseOf } from "./patterns/names.ts";
import { type Finding, type Reading, scan } from "./scan.ts";
import { settingsIn } from "./settings.ts";

/** Values that are found wherever they stand. Kept in memory only, and never forgotten while the session lasts. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  #letters = 0;
  #automaton: { machine: Automaton; words: string[] } | undefined;

  /** Of an environment file its telling values, of any other file what would be found in it anyway. */
  learn(text: string, reading: Reading): void {
    const before = this.#values.size;
    for (const value of reading === "environment" ? telling(text) : found(text)) this.#add(value);
    if (this.#values.size > before) this.#automaton = undefined;
  }

  #add(value: string): void {
    if (this.#values.has(value) || this.#letters + value.length > mostLetters) return;
    this.#values.add(value);
    this.#letters += value.length;
  }

  in(text: string): Finding[] {
    if (this.#values.size === 0) return [];
    const { machine, words } = this.#machine();
    const hits: Finding[] = [];
    machine.search(text, (at, word) => {
      const value = words[word] ?? "";
      // The walk does not tell capitals from small letters.
      if (text.startsWith(value, at)) hits.push({ from: at, to: at + value.length, kind: "known" });
    });
    return hits;
  }

  #machine() {
    if (!this.#automaton) {
      const words = [...this.#values];
      this.#automaton = { machine: new Automaton(words), words };
    }
    return this.#automaton;
  }
}

/** Each letter costs some hundred bytes of memory. */
const mostLetters = 20_000;
const ascii = /^[\x20-\x7e]{6,512}$/;

/** One to three words written as programs write names: found everywhere, it would make code unreadable. */
const identifier = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+){0,2}$/;

/** A port, a host or a word is no secret because it stands in such a file: redacted everywhere it would spoil the work. */
function telling(text: string): string[] {
  const lines = settingsIn(text).flatMap(({ name, value }) =>
    value.split("\n").map((line) => ({ name, value: line.trim() })),
  );
  return lines.flatMap(({ name, value }) => {
    if (!ascii.test(value) || value.includes("«secret:")) return [];
    const kept = promiseOf(name)?.kept;
    const named = kept !== undefined && kept !== "vendor" && kept !== "weak";
    if (identifier.test(value)) return [];
    if (named ? value.length >= 8 && !/^(?:true|false|\d{1,9}|[a-z]{1,10})$/i.test(value) : looksChosen(value))
      return [value];
    return found(`${name}="${value}"`);
  });
}

const found = (text: string): string[] =>
  scan(text)
    .map(({ from, to }) => text.slice(from, to))
    .filter((value) => ascii.test(value) && value.length >= 8);
