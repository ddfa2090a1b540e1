// A shell line as the commands that it joins by `;`, `&&`, `||` and `&`, each as it could be run by itself.
import { type AndOr, parse, type PipelineNode } from "unbash";

const mostParts = 12;
/** Sets up what later commands rely on, so it goes along with each of them. */
const setsUp = /^((cd|pushd|export)\s[^|<>]*|[A-Za-z_]\w*=\S*)$/;
/** Later parts mean something else without it. */
const defines = /^(function|alias|set|shopt|source|\.|eval|exec|trap|if|for|while|until|case)\b|^\w+\s*\(\)/;

/** Empty where there is only one, or where they cannot be told apart for certain. */
export function listParts(source: string): string[] {
  if (source.includes("<<")) return [];
  const tree = parse(source);
  if ((tree.errors?.length ?? 0) > 0) return [];
  const texts: string[] = [];
  const take = (node: PipelineNode | AndOr): void => {
    if (node.type === "AndOr") for (const each of node.commands) take(each);
    else texts.push(source.slice(node.pos, node.end).trim());
  };
  for (const statement of tree.commands) take(statement.command);
  if (texts.length < 2 || texts.length > mostParts || texts.some((text) => defines.test(text))) return [];
  const before: string[] = [];
  const parts: string[] = [];
  for (const text of texts) {
    if (setsUp.test(text)) before.push(text);
    else parts.push([...before, text].join(" && "));
  }
  return parts;
}
