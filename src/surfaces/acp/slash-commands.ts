// Commands that an editor offers behind a slash. Each answers with text, or begins a turn.
import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk";
import type { Client, Command } from "../../protocol/client.ts";
import type { EditorWords } from "./editor-host.ts";
import { fenced } from "./tool-call.ts";
import { words as said } from "./words.ts";

interface SlashCommand {
  name: keyof typeof said.commands;
  /** What the person reads, or the command that begins a turn or a task. */
  run(client: Client, argument: string, words: EditorWords): Promise<string | Command | { governed: Command }>;
}

const turnOf = (argument: string): { turn?: number } => (/^\d+$/.test(argument) ? { turn: Number(argument) } : {});

const slashCommands: readonly SlashCommand[] = [
  {
    name: "undo",
    async run(client, argument) {
      const { of, left } = await client.read("undo.preview", {});
      if (of === "nothing") return [said.nothingToUndo, ...left.map(({ path, why }) => `${path}: ${why}`)].join("\n");
      await client.send({ type: "turn.undo", force: argument === "force" });
      return said.undone[of];
    },
  },
  {
    name: "diff",
    async run(client, argument, words) {
      const diff = await client.read("session.diff", turnOf(argument));
      return diff.files.length === 0 ? said.noDiff : fenced(words.diff(diff).join("\n"), "diff");
    },
  },
  {
    name: "rewind",
    async run(client, argument) {
      const preview = await client.read("rewind.preview", turnOf(argument));
      const { turn, tree, foreign } = preview;
      await client.send({ type: "session.rewind", turn, conversation: true, files: tree !== undefined, force: false });
      const kept = foreign.length === 0 ? "" : ` ${said.leftAlone(foreign.join(", "))}`;
      return `${said.rewound(turn)}${kept}`;
    },
  },
  {
    name: "compact",
    async run(client, argument) {
      await client.send({ type: "context.compact", ...(argument !== "" && { focus: argument }) });
      return said.compacted;
    },
  },
  {
    name: "context",
    run: async (client, _argument, words) => fenced(words.context(await client.read("session.context", {})).join("\n")),
  },
  {
    name: "cost",
    run: async (client, _argument, words) => fenced(words.cost(await client.read("session.cost", {})).join("\n")),
  },
  {
    name: "clear",
    async run(client) {
      await client.send({ type: "session.clear" });
      return said.cleared;
    },
  },
  {
    name: "trust",
    async run(client) {
      if (!(await client.read("session.view", {})).tainted) return said.notTainted;
      await client.send({ type: "taint.clear" });
      return said.trusted;
    },
  },
  {
    name: "task",
    async run(_client, argument) {
      const [, id] = /^resume\s+([0-9a-f]{3,8})$/.exec(argument) ?? [];
      if (argument === "" || /^resume$/.test(argument)) return said.taskUsage;
      if (id !== undefined) return { governed: { type: "task.resume", task: id } };
      return { governed: { type: "task.start", text: argument, strict: false, merge: true } };
    },
  },
  {
    name: "continue",
    run: async () => ({ type: "turn.resume" }),
  },
];

/** fettle's own, and what people and trusted repositories have added; a prompt names these, too. */
export async function availableCommands(client: Client): Promise<AvailableCommand[]> {
  const own = slashCommands.map(({ name }) => {
    const [description, hint]: readonly [string, string?] = said.commands[name];
    return { name, description, hint };
  });
  const added = await client.read("slash.list", {});
  const others = added.filter(({ name }) => slashCommands.every((command) => command.name !== name));
  return [...own, ...others].map(({ name, description, hint }) => ({
    ...{ name, description },
    ...(hint && { input: { hint } }),
  }));
}

interface SlashEntry {
  command: SlashCommand;
  argument: string;
}

/** A prompt that is nothing but a known command; any other text with a slash is a prompt. */
export function slashEntry(blocks: readonly ContentBlock[]): SlashEntry | undefined {
  const [only, more] = blocks;
  if (only?.type !== "text" || more) return undefined;
  const [, name, argument = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(only.text.trim()) ?? [];
  const command = slashCommands.find((each) => each.name === name);
  return command && { command, argument: argument.trim() };
}

/** `!command`: the person's own, by the same gate. */
export function shellEntry(blocks: readonly ContentBlock[]): string | undefined {
  const [only, more] = blocks;
  if (only?.type !== "text" || more || !only.text.startsWith("!")) return undefined;
  const command = only.text.slice(1).trim();
  return command === "" ? undefined : command;
}
