// Commands that an editor offers behind a slash. Each answers with text, or begins a turn.
import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk";
import type { Client, Command } from "../../protocol/client.ts";
import type { EditorWords } from "./editor-host.ts";
import { fenced } from "./tool-call.ts";

interface SlashCommand {
  name: string;
  description: string;
  hint?: string;
  /** What the person reads, or the command that begins a turn. */
  run(client: Client, argument: string, words: EditorWords): Promise<string | Command>;
}

const turnOf = (argument: string): { turn?: number } => (/^\d+$/.test(argument) ? { turn: Number(argument) } : {});

const slashCommands: readonly SlashCommand[] = [
  {
    name: "undo",
    description: "Take back what the last turn changed, or the last undo",
    hint: "force: also what others changed since",
    async run(client, argument) {
      const { of, left } = await client.read("undo.preview", {});
      if (of === "nothing")
        return ["There is nothing to take back.", ...left.map(({ path, why }) => `${path}: ${why}`)].join("\n");
      await client.send({ type: "turn.undo", force: argument === "force" });
      return of === "undo" ? "The last undo is taken back." : "What the last turn changed is taken back.";
    },
  },
  {
    name: "diff",
    description: "Show what the session has changed",
    hint: "since which turn",
    async run(client, argument, words) {
      const diff = await client.read("session.diff", turnOf(argument));
      return diff.files.length === 0 ? "Nothing has changed." : fenced(words.diff(diff).join("\n"), "diff");
    },
  },
  {
    name: "rewind",
    description: "Go back to before a turn, conversation and files",
    hint: "the turn; without one, the last",
    async run(client, argument) {
      const preview = await client.read("rewind.preview", turnOf(argument));
      const { turn, tree, foreign } = preview;
      await client.send({ type: "session.rewind", turn, conversation: true, files: tree !== undefined, force: false });
      const kept = foreign.length === 0 ? "" : ` Left as others changed them: ${foreign.join(", ")}.`;
      return `The session is back at before turn ${turn}.${kept}`;
    },
  },
  {
    name: "compact",
    description: "Shorten the conversation to a summary",
    hint: "what the summary must keep",
    async run(client, argument) {
      await client.send({ type: "context.compact", ...(argument !== "" && { focus: argument }) });
      return "The conversation is shortened.";
    },
  },
  {
    name: "context",
    description: "Show what the next request is made of",
    run: async (client, _argument, words) => fenced(words.context(await client.read("session.context", {})).join("\n")),
  },
  {
    name: "cost",
    description: "Show what the session has cost, and the limits",
    run: async (client, _argument, words) => fenced(words.cost(await client.read("session.cost", {})).join("\n")),
  },
  {
    name: "clear",
    description: "Begin a new conversation in this session",
    async run(client) {
      await client.send({ type: "session.clear" });
      return "The conversation begins anew.";
    },
  },
  {
    name: "trust",
    description: "Trust what came in from outside; network use is then judged as before",
    async run(client) {
      if (!(await client.read("session.view", {})).tainted) return "Nothing came in from outside.";
      await client.send({ type: "taint.clear" });
      return "What came in is trusted.";
    },
  },
  {
    name: "continue",
    description: "Go on with a turn that a crash interrupted",
    run: async () => ({ type: "turn.resume" }),
  },
];

/** fettle's own, and what people and trusted repositories have added; a prompt names these, too. */
export async function availableCommands(client: Client): Promise<AvailableCommand[]> {
  const added = await client.read("slash.list", {});
  const others = added.filter(({ name }) => slashCommands.every((command) => command.name !== name));
  return [...slashCommands, ...others].map(({ name, description, hint }) => ({
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
