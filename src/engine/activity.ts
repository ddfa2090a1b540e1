import type { Part } from "../protocol/message.ts";

export interface Activity {
  controller: AbortController;
  done: Promise<void>;
}

/** Why a start failed is told to whoever asked for it. */
export const settled = ({ done }: Activity): Promise<void> => done.catch(() => undefined);

export const textOf = (prompt: readonly Part[]): string =>
  prompt.map((part) => (part.type === "text" ? part.text : "[image]")).join(" ");
