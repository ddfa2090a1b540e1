// Tables that are data: their rows are what the code that reads them takes them for.
import { expect, test } from "vitest";
import languages from "../../assets/programs/languages.json" with { type: "json" };
import lexicons from "../../assets/injection/words.json" with { type: "json" };
import checks from "../../assets/programs/checks.json" with { type: "json" };
import assigning from "../../assets/programs/assigning.json" with { type: "json" };
import entities from "../../assets/html-entities.json" with { type: "json" };
import installing from "../../assets/programs/installing.json" with { type: "json" };
import servers from "../../assets/programs/servers.json" with { type: "json" };
import toolchains from "../../assets/programs/toolchains.json" with { type: "json" };
import providers from "../../assets/providers.json" with { type: "json" };
import { tokenPatterns, tokenRows } from "../../src/guard/firewall/patterns/tokens.ts";
import { concepts } from "../../src/guard/injection/concepts.ts";
import { providerTypes } from "../../src/io/config/settings-table.ts";

test("each kind of token has a name, beginnings, and a pattern that compiles", () => {
  expect(tokenRows.length).toBeGreaterThan(150);
  for (const row of tokenRows)
    expect(row).toEqual([expect.stringMatching(/^[a-z0-9-]+$/), expect.stringMatching(/\S/), expect.any(String)]);
  for (const { pattern, triggers } of tokenPatterns)
    expect([pattern.flags, triggers.includes("")]).toEqual(["y", false]);
});

test("each word of planted orders belongs to a concept that the scorer knows", () => {
  const known = new Set<string>(concepts);
  expect(Object.keys(lexicons)).toHaveLength(8);
  for (const lexicon of Object.values(lexicons))
    expect(Object.keys(lexicon).filter((concept) => !known.has(concept))).toEqual([]);
});

test("what is known of programs is whole: endings, ports, checks, installs, folders, providers", () => {
  const endings = Object.values(languages).flatMap((list) => list.split(" "));
  expect(endings.filter((ending) => !/^\.[a-z]+$/.test(ending))).toEqual([]);
  expect(new Set(endings).size).toBe(endings.length);
  for (const { pattern, port } of servers) expect([new RegExp(pattern).flags, port % 1]).toEqual(["", 0]);
  const declared = [...Object.values(checks.packages), ...Object.values(checks.files).flat()];
  const kinds = ["test", "lint", "types", "build"];
  for (const row of declared)
    expect([row.length, kinds.includes(row[0] ?? ""), typeof row[1]]).toEqual([2, true, "string"]);
  const nodes = Object.values(assigning).flatMap((language) => Object.keys(language));
  expect(new Set(nodes).size).toBe(nodes.length);
  for (const character of Object.values(entities)) expect(character).toHaveLength(1);
  for (const hint of Object.values(installing.hints)) expect(hint.otherwise).not.toBe("");
  for (const { folder, parts } of toolchains) expect([folder.startsWith("/"), parts.length > 0]).toEqual([false, true]);
  for (const { type, baseUrl } of Object.values(providers))
    expect([(providerTypes as readonly string[]).includes(type), URL.canParse(baseUrl)]).toEqual([true, true]);
});
