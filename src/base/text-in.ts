/** The text of content whose blocks are of several kinds: a block of any other kind counts as an empty text. */
export const textIn = (blocks: readonly { type: string; text?: string }[], between = ""): string =>
  blocks.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(between);
