// A question of the model and what the person said, as they stand on the screen when it is asked and when it is shown again.
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { wrap } from "../text/width.ts";

export const questionLines = (question: string, { style, width }: Look): string[] => [
  "",
  ...wrap(safeText(question), width - 2).map((line, at) => `${at === 0 ? style.yellow("?") : " "} ${style.bold(line)}`),
];

export const answerLines = (answer: string, { style }: Look): string[] => [style.dim(`  ${safeText(answer)}`)];
