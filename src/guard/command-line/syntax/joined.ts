// The commands that a shell line joins, each with the text that it reads from the line itself.
import { type AndOr, parse, type PipelineNode } from "unbash";

/** One of them: its own text, with the here-documents that belong to it. */
export interface Joined {
  text: string;
  /** Where it begins in the line. */
  from: number;
  /** What joins it to the one before: `;` also for a new line. */
  joint: string;
  background: boolean;
}

/** Behind a command that reads here-documents: the end of its line, then their texts. */
const documents = /^[ \t]*(?:&&|\|\||[;&])?[ \t]*\n([^]*)$/;
const onlyJoint = /^[\s;&|]*$/;

/** Undefined for what is no shell, and where a here-document stands behind more than the command that reads it. */
export function joinedCommands(source: string): Joined[] | undefined {
  const tree = parse(source);
  if ((tree.errors?.length ?? 0) > 0) return undefined;
  const found: (Joined & { to: number })[] = [];
  const take = (node: PipelineNode | AndOr, joint: string, background: boolean): void => {
    if (node.type === "AndOr")
      for (const [index, each] of node.commands.entries())
        take(each, index === 0 ? joint : (node.operators[index - 1] ?? joint), background);
    else found.push({ text: source.slice(node.pos, node.end).trim(), from: node.pos, to: node.end, joint, background });
  };
  for (const { command, background } of tree.commands) take(command, ";", background === true);
  if (!source.includes("<<")) return found;
  for (const [index, each] of found.entries()) {
    const behind = source.slice(each.to, found[index + 1]?.from);
    const [, texts] = each.text.includes("<<") ? (documents.exec(behind) ?? []) : [];
    if (texts === undefined && (each.text.includes("<<") || !onlyJoint.test(behind))) return undefined;
    if (texts !== undefined) each.text += `\n${texts.trimEnd()}`;
  }
  // Each by itself is what it was in the line.
  return found.every(({ text }) => isOne(text)) ? found : undefined;
}

function isOne(text: string): boolean {
  if (!text.includes("<<")) return true;
  const { errors, commands } = parse(text);
  const [only, ...others] = commands;
  return (errors?.length ?? 0) === 0 && others.length === 0 && /^(?:Command|Pipeline)$/.test(only?.command.type ?? "");
}
