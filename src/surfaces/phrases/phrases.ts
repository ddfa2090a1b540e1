// What is said to a person. A room's sentences stand in English beside the code that says them; the same ones in another
// language are in `src/surfaces/languages`, which is loaded where that language is spoken (docs/decisions/0011-languages.md).
import type { Room } from "./rooms.ts";

/** The same sentences in another language: all of them, none besides, and functions of the same arguments. */
export type Translation<Sentences> = Sentences extends string
  ? string
  : Sentences extends (...given: infer Given) => infer Said
    ? (...given: Given) => Translation<Said>
    : Sentences extends object
      ? { readonly [Name in keyof Sentences]: Translation<Sentences[Name]> }
      : Sentences;

/** A language as it is spoken: its tag for `Intl`, and what a room says in it. Undefined: what it says in English. */
export interface Speech {
  readonly tag: string;
  sentences(room: Room, english: object): object | undefined;
  /** A sentence that comes from below the surface, where it is a fact in English. */
  told?(text: string): string;
}

export const english: Speech = { tag: "en", sentences: () => undefined };

let spoken: Speech = english;

/** From here on every sentence that is read is in this language, of rooms that were loaded before, too. */
export function speak(speech: Speech): void {
  spoken = speech;
}

/** What comes from below the surface (a reason, a fault, a notice), as it is said to the person; raw, as it came. */
export const told = (text: string): string => spoken.told?.(text) ?? text;

export const languageTag = (): string => spoken.tag;

/** The sentences of a room, in the language that is spoken when they are read. */
export const phrases = <const Sentences extends object>(room: Room, own: Sentences): Translation<Sentences> =>
  new Proxy(own, {
    get: (_, name) => Reflect.get(spoken.sentences(room, own) ?? own, name),
  }) as Translation<Sentences>;
