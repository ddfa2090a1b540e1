// What a crash left open is told, never guessed: begun effects become `unknown`, the rest `not run`.
import type { Session } from "./session.ts";
import { openTurn } from "./state.ts";
import type { Result } from "../protocol/result.ts";

const unknownText =
  "Unknown outcome: the program was killed while this ran, so it may have happened wholly, partly or not at all. Check the actual state before doing it again.";
const notRunText = "Not run: the program was killed before this started. Nothing was changed by it.";

const lost = (status: Result["status"], code: string, text: string): Result => ({
  status,
  code,
  parts: [{ type: "text", text }],
});

/**
 * Closes the calls of an interrupted turn; the turn itself stays open for `turn.resume` or is ended by the next prompt.
 * Answers whether there is such a turn.
 */
export function recover(session: Session): boolean {
  const turn = openTurn(session.state);
  if (!turn) return false;
  for (const pending of [...session.state.pending]) {
    const result = pending.begun
      ? lost("unknown", "effect.unknown", unknownText)
      : lost("refused", "call.not-run", notRunText);
    session.append({ type: "call.ended", turn: turn.turn, call: pending.call, tool: pending.tool, result, ms: 0 });
  }
  const answered = session.state.conversation.messages.at(-1);
  const results = answered?.role === "tool" ? answered.content.map((each) => each.call) : [];
  for (const call of session.state.conversation.open) {
    if (results.includes(call.id)) continue;
    const result = lost("refused", "call.not-run", notRunText);
    session.append({ type: "call.ended", turn: turn.turn, call: call.id, tool: call.name, result, ms: 0 });
  }
  return true;
}

/** Ends an interrupted turn that nobody resumes. */
export function abandon(session: Session): void {
  const turn = openTurn(session.state);
  if (!turn) return;
  session.append({
    type: "turn.ended",
    turn: turn.turn,
    stop: { kind: "crashed", text: "The program ended before this turn did." },
    usage: turn.usage,
    cost: turn.cost,
  });
}
