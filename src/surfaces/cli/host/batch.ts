// JSON lines in, JSON lines out, in order: what every --batch of a command shares.
import { Exit } from "../../../protocol/exit.ts";
import type { ItemId } from "../../../protocol/query.ts";
import type { Context } from "./context.ts";
import { usageFault } from "./failure.ts";
import { phrases } from "../../phrases/phrases.ts";

export const batchWords = phrases("batch", {
  batchNothing: "There is nothing to scan.",
  batchRemedy: "Pipe JSON lines in, one object per line.",
});

/** What an answer says of a line that cannot be asked: for programs, so the same in any language. */
export const lineProblems = {
  badId: "id is neither a string nor a number",
  notText: (key: string) => `${key} is not a string`,
  noInput: "input is missing",
} as const;

/** A line of the batch: what to ask, or why it cannot be asked. */
export type Line<Item> = { item: Item } | { problem: string };

interface Batch<Item> {
  /** Told the parsed object of a line. */
  item(value: Record<string, unknown>): Line<Item>;
  /** Answers in the order of the items; one with an `error` says why its item has none. */
  ask(items: Item[]): Promise<object[]>;
}

const chunkSize = 500;
/** A chunk of long texts must not fill the memory. */
const chunkLength = 4_000_000;

export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of stream) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    if (lines.length === 1) {
      rest.push(text);
      continue;
    }
    yield `${rest.join("")}${lines[0]}`;
    yield* lines.slice(1, -1);
    rest = [lines.at(-1) ?? ""];
  }
  const last = rest.join("") + decoder.decode();
  if (last !== "") yield last;
}

function parsed<Item>(text: string, { item }: Batch<Item>): Line<Item> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "not an object" };
  return item(value as Record<string, unknown>);
}

export const isItemId = (id: unknown): id is ItemId => typeof id === "string" || typeof id === "number";

/** Exit 2 when a line could not be read, or its item not be answered; its place in the output says so. */
export async function runBatch<Item>(context: Context, batch: Batch<Item>): Promise<number> {
  if (context.host.stdin.isTTY) throw usageFault(batchWords.batchNothing, batchWords.batchRemedy);
  let number = 0;
  let broken = false;
  let items: Item[] = [];
  let length = 0;
  const flush = async () => {
    const answers = items.length > 0 ? await batch.ask(items) : [];
    broken ||= answers.some((answer) => "error" in answer);
    for (const answer of answers) context.out.line(JSON.stringify(answer));
    items = [];
    length = 0;
    await context.out.ready();
  };
  for await (const text of linesOf(context.host.stdin)) {
    number++;
    if (text.trim() === "") continue;
    const line = parsed(text, batch);
    if ("item" in line) {
      items.push(line.item);
      length += text.length;
      if (items.length >= chunkSize || length >= chunkLength) await flush();
      continue;
    }
    await flush();
    broken = true;
    context.out.line(JSON.stringify({ id: null, error: `line ${number}: ${line.problem}` }));
  }
  await flush();
  return broken ? Exit.usage : Exit.done;
}
