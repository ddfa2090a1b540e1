import type { Highlighter } from "../render/code.ts";
import type { MarkdownParts } from "../render/markdown.ts";

const drawnMs = 4;

/** The grammars of code are loaded when the parts are first asked for, and nobody waits for them. */
export async function loadMarkdown(): Promise<() => MarkdownParts> {
  // The screen draws a moment after it was asked to: the prompt stands before this is loaded.
  await new Promise((resolve) => setTimeout(resolve, drawnMs));
  const { lexer } = await import("marked");
  let highlight: Highlighter | undefined;
  let asked = false;
  const load = () => {
    asked = true;
    import("../render/highlight.ts").then(
      (loaded) => {
        highlight = loaded.highlight;
      },
      // Without the library code has one colour.
      () => undefined,
    );
  };
  return () => {
    if (!asked) load();
    return { lexer, highlight };
  };
}
