import type { SessionRow } from "../../../protocol/query.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import { moment } from "../text/amounts.ts";
import type { Piece, ReadTurn } from "./turns.ts";
import { words } from "./words.ts";

export type ExportHead = Pick<SessionRow, "id" | "title" | "model" | "cwd">;

/** One document: calls with their output in blocks that no output can end. */
export function asMarkdown(head: ExportHead, turns: readonly ReadTurn[]): string {
  const facts = [head.id, head.model, head.cwd].map((each) => `\`${safeLine(each).replaceAll("`", "'")}\``);
  return [
    `# ${plain(safeLine(head.title) || head.id)}`,
    facts.join(" · "),
    ...turns.flatMap(({ turn, startedAt, pieces }) => [
      `## ${words.turn(turn)} · ${moment(startedAt)}`,
      ...pieces.map(pieceText),
    ]),
    "",
  ].join("\n\n");
}

function pieceText(piece: Piece): string {
  if (piece.kind === "prompt") return quoted(piece.own ? `! ${piece.text}` : piece.text);
  if (piece.kind === "answer") return piece.text;
  if (piece.kind === "note") return `*${plain(safeLine(piece.text))}*`;
  if (piece.kind === "thought") return folded(words.thought, quoted(piece.text));
  const diff = (piece.diff?.files ?? []).map(({ path, patch }) =>
    fenced(`${safeText(path)}\n${safeText(patch)}`, "diff"),
  );
  const title = `${piece.tool} ${safeLine(piece.what)} (${words.status[piece.status]})`;
  return folded(
    title,
    [...(piece.what.includes("\n") ? [fenced(piece.what)] : []), fenced(piece.output), ...diff].join("\n\n"),
  );
}

/** Whatever is between them, GitHub and its kin fold it. */
const folded = (title: string, body: string): string =>
  `<details><summary>${title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</summary>\n\n${body}\n\n</details>`;

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)}`)
    .join("\n");

const plain = (text: string): string => text.replace(/[\\`*_[\]<>&#]/g, (sign) => `\\${sign}`);

function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}
