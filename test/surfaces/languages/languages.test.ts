// Which language is spoken, that it is complete, and its rules for numbers.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { age, count, duration, money, plural } from "../../../src/surfaces/cli/text/amounts.ts";
import { german } from "../../../src/surfaces/languages/de/index.ts";
import { languageOf, speechOf } from "../../../src/surfaces/phrases/languages.ts";
import { english, phrases, speak, type Translation } from "../../../src/surfaces/phrases/phrases.ts";
import { makeHome, projectRoot, runFettle } from "../../support/program.ts";

const inGerman = speechOf("de", german);
afterEach(() => speak(english));

test("the setting chooses the language, then the locale; a locale that does not exist means English", () => {
  expect(languageOf(undefined, {})).toBeUndefined();
  for (const locale of ["de", "de_DE.UTF-8", "de_AT", "de_CH.utf8", "de_DE@euro", "DE_de.UTF-8", "de-DE"])
    expect([locale, languageOf("auto", { LANG: locale })]).toEqual([locale, "de"]);
  for (const locale of [
    "C",
    "POSIX",
    "en_US.UTF-8",
    "fr_FR",
    "xx_YY.nonsense",
    "deutsch",
    "de_",
    "de_DE;rm",
    "\0",
    "d".repeat(9999),
  ])
    expect([locale, languageOf("auto", { LANG: locale })]).toEqual([locale, undefined]);
  expect(languageOf("auto", { LC_ALL: "en_GB.UTF-8", LANG: "de_DE.UTF-8" })).toBeUndefined();
  expect(languageOf("auto", { LC_ALL: "", LC_MESSAGES: "de_DE.UTF-8", LANG: "en_US.UTF-8" })).toBe("de");
  expect(languageOf("en", { LANG: "de_DE.UTF-8" })).toBeUndefined();
  expect(languageOf("de", { LANG: "en_US.UTF-8" })).toBe("de");
});

test("a sentence is in the language that is spoken when it is read", () => {
  const words = phrases("program", { promptArgument: "what", whichCommand: (of: string) => `which of ${of}` });
  expect(words.promptArgument).toBe("what");
  speak(inGerman);
  expect(words.promptArgument).toBe("was zu tun ist; ohne Angabe beginnt eine interaktive Sitzung");
  speak(english);
  expect({ ...words }.promptArgument).toBe("what");
});

type Fits<Given, Wanted> = Given extends Wanted ? true : false;

test("a translation has every sentence, and functions of the same arguments, or it does not compile", () => {
  const words = phrases("program", { one: "one", of: (number: number) => `${number}`, list: [["a", "b"]] });
  type German = Translation<typeof words>;
  type Pair = readonly [string, string];
  type Whole = { one: string; of: (number: number) => string; list: readonly [Pair] };
  const whole: Fits<Whole, German> = true;
  const fewerArguments: Fits<Whole & { of: () => string }, German> = true;
  const missing: Fits<Omit<Whole, "of">, German> = false;
  const otherArguments: Fits<Omit<Whole, "of"> & { of: (text: string) => string }, German> = false;
  const otherShape: Fits<Omit<Whole, "one"> & { one: readonly string[] }, German> = false;
  const shorterList: Fits<Omit<Whole, "list"> & { list: readonly [] }, German> = false;
  expect([whole, fewerArguments]).toEqual([true, true]);
  expect([missing, otherArguments, otherShape, shorterList]).not.toContain(true);
});

test("the rooms are those that there are, each of them once", () => {
  const surfaces = path.join(projectRoot, "src/surfaces");
  const sources = readdirSync(surfaces, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const named = sources.flatMap((file) =>
    [...readFileSync(path.join(surfaces, file), "utf8").matchAll(/phrases\("(\w+)"/g)].map(([, room]) => room),
  );
  expect(named.length).toBe(new Set(named).size);
  const rooms = [...readFileSync(path.join(surfaces, "phrases/rooms.ts"), "utf8").matchAll(/\| "(\w+)"/g)];
  expect(rooms.map(([, room]) => room).sort()).toEqual(named.sort());
});

test("numbers and plurals are as the language writes them", () => {
  const amounts = () => [
    plural(1, "file"),
    plural(2, "file"),
    plural(1234, "file"),
    money(1_234_500_000),
    money(120_000),
    money(null),
    count(1234),
    count(1_234_567),
    duration(1500),
    age(0, 3 * 24 * 3_600_000),
  ];
  expect(amounts()).toMatchInlineSnapshot(`
    [
      "1 file",
      "2 files",
      "1,234 files",
      "$1,234.50",
      "$0.12",
      "cost unknown",
      "1.2k",
      "1.2M",
      "1.5 s",
      "3 d ago",
    ]
  `);
  speak(inGerman);
  expect(amounts()).toMatchInlineSnapshot(`
    [
      "1 file",
      "2 files",
      "1.234 files",
      "1.234,50 $",
      "0,12 $",
      "Kosten unbekannt",
      "1,2k",
      "1,2 Mio.",
      "1,5 s",
      "vor 3 Tagen",
    ]
  `);
  expect([0, 1, 2, 1.5].map((files) => plural(files, "Datei", "Dateien"))).toEqual([
    "0 Dateien",
    "1 Datei",
    "2 Dateien",
    "1,5 Dateien",
  ]);
});

test("the real program speaks German by locale and by setting, and English in any other", async () => {
  const home = makeHome();
  const help = async (env: Record<string, string>) => (await runFettle(["--help"], { home, env })).stdout;
  const [byDefault, byLocale, byVariable, unknown] = await Promise.all([
    help({}),
    help({ LANG: "de_DE.UTF-8" }),
    help({ FETTLE_TERMINAL_LANGUAGE: "de" }),
    help({ LC_ALL: "xx_YY.UTF-8" }),
  ]);
  expect(byLocale).toContain("Aufruf: fettle [options]");
  expect(byVariable).toBe(byLocale);
  expect(byDefault).toContain("Usage: fettle [options]");
  expect(unknown).toBe(byDefault);
  expect((await runFettle(["config", "set", "terminal.language", "de"], { home })).code).toBe(0);
  expect(await help({ LANG: "en_US.UTF-8" })).toBe(byLocale);
  home.remove();
});
