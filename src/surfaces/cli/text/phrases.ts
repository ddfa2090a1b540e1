// The sentences of a file, by language. Another language is added to `Phrases`, and the compiler then names each file that
// lacks it, and each sentence that it lacks.

export interface Phrases<Sentences> {
  en: Sentences;
}

/** The sentences in the language that is spoken. */
export const phrases = <const Sentences>(languages: Phrases<Sentences>): Sentences => languages.en;
