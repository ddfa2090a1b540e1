// What of a session's facts was said by somebody, one piece at a time.
import type { StoredFact } from "../../protocol/event.ts";
import type { Part } from "../../protocol/message.ts";
import { targetOf } from "./excerpt.ts";

export interface Piece {
  turn: number;
  who: string;
  /** Of a result, or the call itself. */
  call?: string;
  text: string;
}

/** `targets`: what each call is about, by its id; kept up. */
export function piecesOf(fact: StoredFact, targets: Map<string, string>): Piece[] {
  switch (fact.type) {
    case "turn.started":
    case "prompt.joined":
      return [{ turn: fact.turn, who: speaker(fact.origin), text: textOf(fact.prompt) }];
    case "note.added":
      return [{ turn: fact.turn, who: "a note", text: fact.text }];
    case "round.ended":
      return answerPieces(fact, targets);
    case "call.ended": {
      // What recall itself has found would be found for ever.
      if (fact.tool === "recall") return [];
      const who = ["result of", fact.tool, targets.get(fact.call)].filter(Boolean).join(" ");
      return [{ turn: fact.turn, who, call: fact.call, text: textOf(fact.result.parts) }];
    }
    default:
      return [];
  }
}

const speaker = (origin: string | undefined): string =>
  origin === "agent" ? "the agent that asked for this" : origin === "fettle" ? "fettle" : "the person";

function answerPieces(
  { turn, content }: Extract<StoredFact, { type: "round.ended" }>,
  targets: Map<string, string>,
): Piece[] {
  return content.flatMap((block): Piece[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ turn, who: "the model", text: block.text }];
    if (block.type === "reasoning" || block.name === "recall") return [];
    targets.set(block.id, targetOf(block.input));
    const text = JSON.stringify(block.input);
    return [{ turn, who: `call of ${block.name}`, call: block.id, text }];
  });
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : `[image ${part.mime}]`)).join("\n");
