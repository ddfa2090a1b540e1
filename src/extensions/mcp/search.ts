// Which of many tools a model means: by the words of their names and descriptions.
import { resourceName } from "../../base/mcp-names.ts";
import type { McpFound, McpResource, McpTool } from "../../io/mcp/spec.ts";

interface Offered {
  /** `server__tool` */
  name: string;
  tool: McpTool;
}

const unseen = "[new since its server was pinned; a call asks the person, who is shown what it says of itself]";

/** As they were pinned; of a server that runs, those that it still has. */
export function offeredTools(pinned: readonly McpTool[], now: ReadonlyMap<string, McpTool> | undefined): McpTool[] {
  if (!now) return [...pinned];
  const fresh = [...now.values()].filter((tool) => !pinned.some(({ name }) => name === tool.name));
  return [
    ...pinned.filter(({ name }) => now.has(name)),
    ...fresh.map((tool) => ({ ...tool, description: unseen, inputSchema: {} })),
  ];
}

const wordsIn = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** What stands in every description tells none of them. */
const empty = new Set("a an and are by for from in is it of on or that the this to tool use with".split(" "));

/** A name counts more than a description; a word that few tools have more than one that many have. */
export function searchTools(offered: readonly Offered[], query: string): McpFound[] {
  const wanted = [...new Set(wordsIn(query))].filter((word) => !empty.has(word));
  const all = offered.map(({ name, tool }) => {
    const inName = new Set(wordsIn(name));
    return { name, tool, inName, inText: new Set([...inName, ...wordsIn(`${tool.title ?? ""} ${tool.description}`)]) };
  });
  const rarity = new Map(
    wanted.map((word) => [word, Math.log(1 + all.length / (1 + all.filter(({ inText }) => has(inText, word)).length))]),
  );
  const scored = all.map((each) => {
    const exact = each.name === query.trim() || each.tool.name === query.trim() ? 100 : 0;
    const score = wanted.reduce((sum, word) => {
      const weight = rarity.get(word) ?? 0;
      return sum + (has(each.inName, word) ? 3 * weight : has(each.inText, word) ? weight : 0);
    }, exact);
    return { ...each, score };
  });
  return scored
    .filter(({ score }) => score > 0 || wanted.length === 0)
    .toSorted((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .map(({ name, tool }) => ({ name, description: tool.description, inputSchema: tool.inputSchema }));
}

/** Every one where nothing is looked for, else those that hold each word. */
export function searchResources(all: readonly (McpResource & { server: string })[], query: string): McpFound[] {
  const wanted = wordsIn(query).filter((word) => !empty.has(word));
  return all.flatMap(({ server, uri, description, template }) => {
    const words = new Set(wordsIn(`${uri} ${description}`));
    if (!wanted.every((word) => has(words, word))) return [];
    const kind = template ? "resource; fill in what stands in braces" : "resource";
    return [{ name: resourceName(server, uri), description: `${description} (${kind})` }];
  });
}

/** `issue` finds `issues`, and `create` finds `created`. */
const has = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) ||
  (word.length > 3 && [...words].some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each))));
