// A line that puts changes away, runs something on what was there before, and brings them back: three commands.
import { type AndOr, parse, type PipelineNode } from "unbash";

export interface StashSteps {
  away: string;
  between: string;
  back: string;
  /** After `&&`: only when what came before it ended with 0. */
  betweenOnly: boolean;
  backOnly: boolean;
}

interface Part {
  text: string;
  from: number;
  to: number;
  /** What stands before it. */
  joint: string;
}

const puts = /^git stash(?:$|\s+(?:push|save|-)(?!\S*[|<>`$]))/;
const brings = /^git stash (?:pop|apply)\b/;

/** Undefined for any other line, and where the parts share more than the folder that they begin in. */
export function stashSteps(source: string): StashSteps | undefined {
  if (!/\bgit stash\b[^]*\bgit stash (?:pop|apply)\b/.test(source) || source.includes("<<")) return undefined;
  const all = partsOf(source);
  const folder = all?.[0] && /^cd [^|<>`$]+$/.test(all[0].text) && all[1]?.joint === "&&" ? `${all[0].text} && ` : "";
  const parts = all?.slice(folder === "" ? 0 : 1) ?? [];
  const at = parts.findIndex(({ text }) => brings.test(text));
  const [away, next] = parts;
  const last = parts[at - 1];
  const back = parts[at];
  if (at < 2 || !away || !next || !last || !back || !puts.test(away.text)) return undefined;
  if (next.joint === "||" || back.joint === "||") return undefined;
  const rest = source.slice(back.from);
  // It would be empty in a shell of its own.
  if (rest.includes("$")) return undefined;
  return {
    away: folder + away.text,
    between: folder + source.slice(next.from, last.to),
    back: folder + rest,
    betweenOnly: next.joint === "&&",
    backOnly: back.joint === "&&",
  };
}

function partsOf(source: string): Part[] | undefined {
  const tree = parse(source);
  if ((tree.errors?.length ?? 0) > 0) return undefined;
  const parts: Part[] = [];
  const take = (node: PipelineNode | AndOr, joint: string): void => {
    if (node.type === "AndOr")
      node.commands.forEach((each, index) => take(each, index === 0 ? joint : (node.operators[index - 1] ?? joint)));
    else parts.push({ text: source.slice(node.pos, node.end).trim(), from: node.pos, to: node.end, joint });
  };
  for (const statement of tree.commands) {
    if (statement.background) return undefined;
    take(statement.command, ";");
  }
  return parts;
}
