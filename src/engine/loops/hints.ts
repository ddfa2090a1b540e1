// What a model is told that goes in a circle, before it is stopped.
import type { Counts } from "./counts.ts";

const opening = "Progress: ";

export const isHint = (text: string): boolean => text.startsWith(opening);

type About = { call: string; file: string; error: string };

const texts: Record<Exclude<keyof Counts, "failing">, (about: About, count: number) => string> = {
  call: ({ call }) =>
    `you have made the same call several times in a row (${call}). Its result will not change by itself: use what you have, try another way, or say what blocks you.`,
  idle: (_about, count) =>
    `the last ${count} rounds brought nothing new. Act on what you know, look somewhere else, or say what blocks you.`,
  spiral: ({ file }) =>
    `${file} goes back and forth between contents that it had before. Say what each of them does not solve, then change something else.`,
  error: ({ file, error }, count) =>
    `after ${count} different changes to ${file} the same error is there: ${error}. The cause is elsewhere, or your idea of it is wrong: look before you change it again.`,
  text: () =>
    "you have said the same several times without doing anything new. Do the next step, or end with your answer.",
};

export const hintText = (kind: keyof typeof texts, about: About, count: number): string =>
  `${opening}${texts[kind](about, count)}`;

export const hinted = Object.keys(texts) as (keyof typeof texts)[];
