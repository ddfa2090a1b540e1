// One page that needs nothing else: no script, no font, no picture from anywhere.
import { safeLine, safeText } from "../text/safe-text.ts";
import { moment } from "../text/amounts.ts";
import { languageTag } from "../../phrases/phrases.ts";
import type { ExportHead } from "./markdown.ts";
import type { Piece, ReadTurn } from "./turns.ts";
import { words } from "./words.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; --soft: #8881; --plus: #1a7f37; --minus: #cf222e; }
body { margin: 2rem auto; max-width: 54rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 0.9rem; color: var(--dim); border-top: 1px solid var(--line); padding-top: 1rem; }
pre, code { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre { overflow: auto; max-height: 32rem; background: var(--soft); padding: 0.6rem; margin: 0.4rem 0; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.8rem 0; }
.prompt { border-left: 3px solid currentColor; padding-left: 0.8rem; font-weight: 600; }
.note, .facts { color: var(--dim); }
details { border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.6rem; margin: 0.5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; } summary b { font-weight: 600; }
.failed, .refused, .unknown, .expired { color: var(--minus); } .plus { color: var(--plus); } .minus { color: var(--minus); }
`;

/** The policy of the page itself: even what slipped through could load and run nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

export function asHtml(head: ExportHead, turns: readonly ReadTurn[]): string {
  const title = safeLine(head.title) || head.id;
  const facts = [head.id, head.model, head.cwd].map((each) => `<code>${escaped(safeLine(each))}</code>`);
  return [
    "<!doctype html>",
    `<html lang="${languageTag() === "de" ? "de" : "en"}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title><style>${style}</style></head><body>`,
    `<h1>${escaped(title)}</h1><p class="facts">${facts.join(" · ")}</p>`,
    ...turns.flatMap(({ turn, startedAt, pieces }) => [
      `<h2>${escaped(words.turn(turn))} · ${escaped(moment(startedAt))}</h2>`,
      ...pieces.map(pieceText),
    ]),
    "</body></html>\n",
  ].join("\n");
}

function pieceText(piece: Piece): string {
  if (piece.kind === "prompt")
    return `<div class="text prompt">${escaped(piece.own ? `! ${piece.text}` : piece.text)}</div>`;
  if (piece.kind === "answer") return `<div class="text">${withCode(piece.text)}</div>`;
  if (piece.kind === "note") return `<div class="text note">${escaped(piece.text)}</div>`;
  if (piece.kind === "thought")
    return `<details><summary class="note">${escaped(words.thought)}</summary><div class="text">${escaped(piece.text)}</div></details>`;
  const state =
    piece.status === "done" ? "" : ` <span class="${piece.status}">${escaped(words.status[piece.status])}</span>`;
  const whole = piece.what.includes("\n") ? `<pre>${escaped(piece.what)}</pre>` : "";
  const diffs = (piece.diff?.files ?? []).map(
    ({ path, patch }) => `<pre>${escaped(safeText(path))}\n${patchText(patch)}</pre>`,
  );
  return `<details><summary><b>${escaped(piece.tool)}</b> <code>${escaped(safeLine(piece.what))}</code>${state}</summary>${whole}<pre>${escaped(piece.output)}</pre>${diffs.join("")}</details>`;
}

/** Blocks of code in an answer stand as such; the rest of its Markdown is read as it was written. */
const withCode = (text: string): string =>
  text
    .split(/^(```[^\n]*\n[\s\S]*?^```[ \t]*)$/m)
    .map((part) =>
      part.startsWith("```")
        ? `<pre>${escaped(part.replace(/^```[^\n]*\n/, "").replace(/```[ \t]*$/, ""))}</pre>`
        : escaped(part),
    )
    .join("");

const patchText = (patch: string): string =>
  safeText(patch)
    .split("\n")
    .map((line) => {
      const kind = line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "";
      return kind === "" ? escaped(line) : `<span class="${kind}">${escaped(line)}</span>`;
    })
    .join("\n");

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
