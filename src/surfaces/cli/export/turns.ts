// A session's facts as a conversation that one reads: prompts, answers, and calls with what came of them.
import type { StoredFact } from "../../../protocol/event.ts";
import type { Json, Part } from "../../../protocol/message.ts";
import type { Diff, Result } from "../../../protocol/result.ts";
import { safeText } from "../text/safe-text.ts";

export type Piece =
  | { kind: "prompt"; text: string; own: boolean }
  | { kind: "answer"; text: string }
  | { kind: "thought"; text: string }
  | {
      kind: "call";
      id: string;
      tool: string;
      what: string;
      status: Result["status"] | "open";
      output: string;
      diff?: Diff;
    }
  | { kind: "note"; text: string };

export interface ReadTurn {
  turn: number;
  startedAt: number;
  pieces: Piece[];
}

/** So much of one result stands in an export; `fettle sessions export --format jsonl` has all that is stored. */
const longestOutput = 100_000;

/** What the person has cleared or taken back is left out, as it is when the session is resumed. */
export function readTurns(facts: readonly StoredFact[]): ReadTurn[] {
  const turns: ReadTurn[] = [];
  for (const fact of facts) {
    if (fact.type === "session.cleared") turns.length = 0;
    else if (fact.type === "session.rewound" && fact.conversation) {
      const at = turns.findIndex(({ turn }) => turn >= fact.turn);
      if (at !== -1) turns.length = at;
    } else if (fact.type === "turn.started") {
      const own = fact.origin === "person";
      turns.push({
        turn: fact.turn,
        startedAt: fact.at,
        pieces: [{ kind: "prompt", text: partsText(fact.prompt), own }],
      });
    } else {
      const last = turns.at(-1);
      if (last) follow(last.pieces, fact);
    }
  }
  return turns;
}

function follow(pieces: Piece[], fact: StoredFact): void {
  if (fact.type === "prompt.joined") pieces.push({ kind: "prompt", text: partsText(fact.prompt), own: false });
  else if (fact.type === "question.answered" && fact.answer !== undefined)
    pieces.push({ kind: "prompt", text: safeText(fact.answer), own: false });
  else if (fact.type === "round.ended") {
    for (const block of fact.content) {
      if (block.type === "text") pieces.push({ kind: "answer", text: safeText(block.text) });
      else if (block.type === "reasoning") pieces.push({ kind: "thought", text: safeText(block.text) });
      else
        pieces.push({
          kind: "call",
          id: block.id,
          tool: safeText(block.name),
          what: inputText(block.input),
          status: "open",
          output: "",
        });
    }
  } else if (fact.type === "call.ended") ended(pieces, fact);
  else if (fact.type === "turn.ended" && fact.stop.kind !== "done")
    pieces.push({ kind: "note", text: safeText(fact.stop.text) });
}

function ended(pieces: Piece[], { call, tool, result }: Extract<StoredFact, { type: "call.ended" }>): void {
  const text = partsText(result.parts);
  const output = text.length > longestOutput ? `${text.slice(0, longestOutput).toWellFormed()}\n[…]` : text;
  const came = { status: result.status, output, ...(result.diff && { diff: result.diff }) };
  const open = pieces.findLast((piece) => piece.kind === "call" && piece.id === call);
  if (open) Object.assign(open, came);
  else pieces.push({ kind: "call", id: call, tool: safeText(tool), what: "", ...came });
}

const partsText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === "text" ? safeText(part.text) : `[${part.mime}]`)).join("\n");

/** What a call is about, in a line: its command, path, address or first words. */
function inputText(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const named = ["command", "path", "pattern", "url", "query", "task", "args"].map((name) => input[name]);
  const first = named.find((value) => value !== undefined) ?? Object.values(input)[0] ?? "";
  const text = typeof first === "string" ? first : JSON.stringify(first);
  return safeText(text.length > 2000 ? `${text.slice(0, 2000).toWellFormed()}…` : text);
}
