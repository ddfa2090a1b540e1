/** What an `@` of a prompt stands for: a text, an image, a resource, or why it is none. */
export type Mentioned =
  | { text: string; cut?: { shown: number; size: number } }
  | { image: { mime: string; data: string } }
  /** A resource of that MCP server, which the session reads itself. */
  | { server: string }
  | { problem: string };
