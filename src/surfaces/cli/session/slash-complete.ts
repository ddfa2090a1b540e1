// What may follow as a slash command is typed: commands, and what each takes.
import { entryOf } from "../../../base/entry.ts";
import { nearest } from "../../../base/fuzzy.ts";
import type { Client } from "../../../protocol/client.ts";
import type { ModelRow } from "../../../protocol/models.ts";
import { priceText } from "../commands/models/list.ts";
import { age, count } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Completion, CompletionOption } from "../terminal/console.ts";
import { interactive as words } from "../words/interactive.ts";
import { modes } from "../words/modes.ts";
import { slashWords } from "../words/slash.ts";
import { slashCommands, slashRows } from "./slash.ts";

type Options = (client: Client) => Promise<CompletionOption[]>;

const rows = (pairs: readonly (readonly [string, string])[]): CompletionOption[] =>
  pairs.map(([value, what]) => ({ value, what }));

const models: Options = async (client) => {
  const found = await client.read("models.list", {});
  const ready = found.filter(({ status, unset }) => !unset && (status === "ready" || status === "found"));
  const what = words.autoModel;
  return [{ value: "auto", what }, ...ready.map((row) => ({ value: safeLine(row.model), what: cardText(row) }))];
};

const cardText = ({ card }: ModelRow): string =>
  card ? [priceText(card.price), words.windowOf(count(card.contextTokens))].join(", ") : "";

const sessions: Options = async (client) => {
  const found = await client.read("session.list", { limit: 30 });
  return found.map(({ id, title, lastAt }) => ({ value: id, what: `${safeLine(title)}  ${age(lastAt, Date.now())}` }));
};

const agents: Options = async (client) => {
  const running = await client.read("agents.mine", {});
  return [
    { value: "list" },
    ...running.map(({ agent, task }) => ({ value: `cancel ${safeLine(agent)}`, what: safeLine(task) })),
  ];
};

const turns: Options = async (client) => {
  const view = await client.read("session.view", {});
  return view.turns
    .toReversed()
    .map(({ turn, prompt }) => ({ value: String(turn), what: safeLine(prompt).slice(0, 200) }));
};

const servers: Options = async (client) => {
  const found = await client.read("mcp.list", {});
  return found.map(({ name, start }) => ({ value: safeLine(name), what: safeLine(start) }));
};

const following: Readonly<Record<string, Options>> = {
  mode: async () => rows(modes.mode),
  role: async () => rows(modes.role),
  effort: async () => rows(modes.effort),
  strategy: async () => rows(modes.strategy),
  model: models,
  resume: sessions,
  agents,
  rewind: turns,
  diff: turns,
  mcp: servers,
};

const shownOptions = 30;

/** Undefined where the text is no slash command, or takes nothing that could be listed. */
export async function completeSlash(text: string, client: Client): Promise<Completion | undefined> {
  const [, name, typed = ""] = /^\/([a-z]+)\s+(.*)$/.exec(text) ?? [];
  if (name !== undefined) {
    const options = await entryOf(following, name)?.(client);
    if (!options) return undefined;
    const named = nearest(options, typed, ({ value }) => value, shownOptions);
    // A session is known by its title, a turn by its prompt.
    const told = options.filter(
      (each) => each.what?.toLowerCase().includes(typed.toLowerCase()) && !named.includes(each),
    );
    return { from: text.length - typed.length, options: [...named, ...told].slice(0, shownOptions) };
  }
  if (!/^\/[\p{L}\p{N}_:.-]*$/u.test(text)) return undefined;
  const added = await slashRows(client);
  const commands = [
    ...slashCommands.map(({ name: each }) => ({ value: `/${each}`, what: slashWords[each] })),
    ...added.map(({ name: each, description }) => ({ value: safeLine(`/${each}`), what: safeLine(description) })),
  ];
  // What begins as it is typed comes first: `/mo` is /model before /compact.
  const begins = commands.filter(({ value }) => value.startsWith(text));
  const others = commands.filter(({ value }) => !value.startsWith(text));
  return { from: 0, options: [...begins, ...nearest(others, text.slice(1), ({ value }) => value, shownOptions)] };
}
