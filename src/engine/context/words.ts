// What the person themselves said, word for word: what they asked for and what they ruled out must not hang on a summary.
import type { Message } from "../../protocol/message.ts";
import { cutMiddle } from "./excerpt.ts";
import { bytesPerToken } from "./window.ts";

export const isAttached = (text: string): boolean => /^<data(-[0-9a-f]+)? source="/.test(text);

/** Of a message that the person wrote; without what they attached. */
export function wordsOf(message: Message): string | undefined {
  if (message.role !== "user" || message.by !== undefined) return undefined;
  const texts = message.content.flatMap((part) =>
    part.type === "image" ? ["[an image]"] : isAttached(part.text) ? [] : [part.text.trim()],
  );
  const text = texts.join("\n");
  return text === "" ? undefined : text;
}

const cutNote = "[… cut: recall finds all of it …]";
const leftOutNote = (count: number): string =>
  `[${count} more ${count === 1 ? "message" : "messages"} of theirs: recall finds ${count === 1 ? "it" : "them"}]`;
const isNote = (text: string): boolean => /^\[\d+ more messages? of theirs: recall finds/.test(text);
const countOf = (note: string): number => Number(/^\[(\d+)/.exec(note)?.[1] ?? 0);

/** Within `tokens`: the first, which is the goal, and as many of the newest as there is room for. */
export function boundedWords(all: readonly string[], tokens: number): string[] {
  const most = tokens * bytesPerToken;
  const before = all.filter(isNote).reduce((sum, note) => sum + countOf(note), 0);
  const texts = all.filter((text) => !isNote(text));
  const [first, ...others] = texts;
  if (first === undefined) return [];
  const goal = cutMiddle(first, Math.floor(others.length === 0 ? most : most / 3), cutNote);
  let room = most - Buffer.byteLength(goal);
  const newest: string[] = [];
  for (const text of others.toReversed()) {
    const cut = cutMiddle(text, Math.max(200, Math.floor(most / 3)), cutNote);
    room -= Buffer.byteLength(cut);
    if (room < 0) break;
    newest.unshift(cut);
  }
  const missing = before + others.length - newest.length;
  return [goal, ...(missing > 0 ? [leftOutNote(missing)] : []), ...newest];
}
