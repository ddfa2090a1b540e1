// The message that stands for what was left out, and the proof that nothing that has to stay is missing.
import { sha256 } from "../../base/digest.ts";
import type { Origin } from "../../protocol/action.ts";
import type { ApprovalRequest } from "../../protocol/approval.ts";
import type { TodoItem } from "../../protocol/event.ts";
import type { Message, Part } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import type { Prefix } from "./prefix.ts";

/** A text that has to stay word for word, such as the list of steps. */
export interface Pin {
  name: string;
  text: string;
}

interface OpeningParts {
  dropped: number;
  pins: readonly Pin[];
  /** Of a model's, with what was found in it. */
  summary?: { text: string; found: string[] };
  /** Texts of files as they are now, wrapped already. */
  files: readonly Part[];
}

const textPart = (text: string): Part => ({ type: "text", text });

export function openingOf({ dropped, pins, summary, files }: OpeningParts): Part[] {
  const head = `The first ${dropped} messages of this conversation were left out to save room; this stands for them. The recall tool finds what they said.`;
  const notes: Part[] =
    summary !== undefined
      ? [textPart(summaryHead), { type: "text", ...summary, source: "summary" }]
      : [textPart("There is no summary of them: look at the files as they are now, and at what recall finds.")];
  return [
    textPart(head),
    ...pins.map(({ text }) => textPart(text)),
    ...notes,
    ...(files.length > 0 ? [textPart("Files that the work was about, as they are now:"), ...files] : []),
  ];
}

const summaryHead = "Your own summary of them. Go on from there:";

const marks: Readonly<Record<TodoItem["state"], string>> = { open: "[ ]", doing: "[>]", done: "[x]" };

/** By who began the turns of the conversation: nobody takes a subagent's task for the word of a person. */
const wordsHeads: Readonly<Partial<Record<Origin, string>>> = {
  agent: "What the agent that you work for said in them, word for word:",
  fettle: "What you were told to do in them, word for word:",
};

/** What a compaction has to carry over besides the prefix of the request. */
export function pinsOf(from: {
  origin: Origin | undefined;
  words: readonly string[];
  todo: readonly TodoItem[];
  asked: readonly ApprovalRequest[];
  more: readonly Pin[];
}): Pin[] {
  const pins: Pin[] = [];
  const add = (name: string, head: string, lines: readonly string[]): void => {
    if (lines.length > 0) pins.push({ name, text: [head, ...lines].join("\n") });
  };
  add(
    "words",
    wordsHeads[from.origin ?? "person"] ?? "What the person said in them, word for word:",
    from.words.map((text) => `- ${indented(text)}`),
  );
  add(
    "plan",
    "The list of steps (todo) as it stands:",
    from.todo.map(({ text, state }) => `${marks[state]} ${text}`),
  );
  add(
    "approvals",
    "Questions to the person that are still open:",
    from.asked.map(({ nonce, call, tool }) => `- approval ${nonce.slice(0, 8)} of ${tool} (${call})`),
  );
  return [...pins, ...from.more];
}

const indented = (text: string): string => text.replaceAll("\n", "\n  ");

/** What people write may hold what canonical JSON refuses. */
const digestOf = (value: string | object): string => sha256(typeof value === "string" ? value : JSON.stringify(value));

/** By name: the prefix, and each pinned text. */
export function digestsOf(prefix: Prefix, pins: readonly Pin[]): Record<string, string> {
  return {
    system: digestOf(prefix.system),
    tools: digestOf(prefix.tools),
    ...(prefix.sources && { sources: digestOf(prefix.sources) }),
    ...Object.fromEntries(pins.map(({ name, text }) => [name, digestOf(text)])),
  };
}

/** Names of those that a request no longer holds as they were. */
export function missingPins(request: ModelRequest, pinned: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  for (const message of request.messages.slice(0, 2)) for (const text of textsOf(message)) found.add(digestOf(text));
  const whole: Readonly<Record<string, string | undefined>> = {
    system: digestOf(request.system),
    tools: digestOf(request.tools),
    sources: request.messages[0] && digestOf(request.messages[0]),
  };
  return Object.entries(pinned)
    .filter(([name, digest]) => (name in whole ? whole[name] !== digest : !found.has(digest)))
    .map(([name]) => name);
}

const textsOf = (message: Message): string[] =>
  message.role === "user" ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [];
