// Which language is spoken: what the setting says, else what the locale says, else English.
import { english, speak, type Speech } from "./phrases.ts";
import type { Room } from "./rooms.ts";

/** Another language than English: its sentences are loaded where it is spoken. */
export const otherLanguages = ["de", "en-XA"] as const;
export type OtherLanguage = (typeof otherLanguages)[number];

/** What the surface needs to know before its first sentence; the entry of the program fills it. */
export interface Languages {
  /** Value of `terminal.language`, where the person has set it. */
  setting(): Promise<string | undefined>;
  load(language: OtherLanguage): Promise<Speech>;
}

/** What a locale means; one that is unknown, or does not exist, means English. */
function languageOfLocale(env: Readonly<Record<string, string | undefined>>): OtherLanguage | undefined {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  const [, language, territory] = /^([a-z]{2})(?:[_-]([A-Z]{2}))?(?:\.[\w-]+)?(?:@\w+)?$/i.exec(locale) ?? [];
  if (language?.toLowerCase() === "de") return "de";
  // The territory that Unicode keeps for a language made up for tests.
  return language === "en" && territory === "XA" ? "en-XA" : undefined;
}

export function languageOf(
  setting: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): OtherLanguage | undefined {
  if (setting === "de") return setting;
  return setting === "en" ? undefined : languageOfLocale(env);
}

/** Speaks the person's language from here on. */
export async function speakTheirs(
  languages: Languages | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const language = languageOf(await languages?.setting(), env);
  speak(language === undefined || languages === undefined ? english : await languages.load(language));
}

/** The speech of a catalogue that holds a room's sentences under its name. */
export const speechOf = (
  tag: string,
  catalogue: Readonly<Partial<Record<Room, object>>>,
  told?: (text: string) => string,
): Speech => ({ tag, sentences: (room) => catalogue[room], ...(told && { told }) });
