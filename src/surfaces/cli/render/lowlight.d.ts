// What is used of the library that highlights code.
declare module "lowlight" {
  export type HighlightedNode =
    | { type: "text"; value: string }
    | { type: "element"; properties: { className: string[] }; children: HighlightedNode[] };
  export const common: Readonly<Record<string, unknown>>;
  export function createLowlight(grammars: Readonly<Record<string, unknown>>): {
    registered(language: string): boolean;
    highlight(language: string, code: string, options: { prefix: string }): { children: HighlightedNode[] };
  };
}
