import { forEachChild, parse, type SyntaxNode } from "unbash";

/** Names of the programs in a command line that are written out in it. */
export function programsOf(command: string): string[] {
  const found = new Set<string>();
  const look = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name && !/[$`*?]/.test(node.name.value)) found.add(node.name.value);
    forEachChild(node, look);
  };
  for (const statement of parse(command).commands) look(statement);
  return [...found];
}
