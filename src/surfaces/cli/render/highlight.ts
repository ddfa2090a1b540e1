// Which words of a code are what: the library's grammars, loaded when a session first works.
import { common, createLowlight, type HighlightedNode } from "lowlight";
import type { CodePiece, Highlighter } from "./code.ts";

const library = createLowlight(common);

export const highlight: Highlighter = (language, code) => {
  if (!library.registered(language)) return undefined;
  const pieces: CodePiece[] = [];
  const walk = (nodes: readonly HighlightedNode[], kind: string) => {
    for (const node of nodes)
      if (node.type === "text") pieces.push({ text: node.value, kind });
      else walk(node.children, node.properties.className[0] ?? kind);
  };
  walk(library.highlight(language, code, { prefix: "" }).children, "");
  return pieces;
};
