// What a crash left open is told, never guessed: begun effects become `unknown`, the rest `not run`.
import type { Session } from "./session/session.ts";
import { currentTurn, openTurn } from "./session/state.ts";
import type { Result } from "../protocol/result.ts";

/** What is said of calls that were begun, of those that were not, and of the turn. */
interface Words {
  unknown: string;
  notRun: string;
  turn: string;
}

const unknownText =
  "Unknown outcome: the program was killed while this ran, so it may have happened wholly, partly or not at all. Check the actual state before doing it again.";
const notRunText = "Not run: the program was killed before this started. Nothing was changed by it.";

const crashed: Words = {
  unknown: unknownText,
  notRun: notRunText,
  turn: "The program ended before this turn did.",
};

const elsewhere = (pid: number): Words => ({
  unknown: `Process ${pid} was still running this when the session was copied: how it ends is not known here. Check the actual state before doing it again.`,
  notRun: `Not run here: when the session was copied, process ${pid} had not begun it, and may do it yet.`,
  turn: `This turn goes on in process ${pid}; this copy of the session goes on without it.`,
});

const lost = (status: Result["status"], code: string, text: string): Result => ({
  status,
  code,
  parts: [{ type: "text", text }],
});

/**
 * Closes the calls that a crash cut off. Answers whether it cut off a turn too, which stays open for `turn.resume` or is
 * ended by the next prompt.
 */
export function recover(session: Session, words: Words = crashed): boolean {
  const turn = openTurn(session.state);
  for (const pending of [...session.state.pending]) {
    const result = pending.begun
      ? lost("unknown", "effect.unknown", words.unknown)
      : lost("refused", "call.not-run", words.notRun);
    const number = currentTurn(session.state)?.turn ?? 0;
    session.append({ type: "call.ended", turn: number, call: pending.call, tool: pending.tool, result, ms: 0 });
    // No call of the model's: it learns of it by a note.
    if (!turn && pending.begun)
      session.append({ type: "note.added", turn: number, text: `${pending.tool}: ${words.unknown}` });
  }
  if (!turn) return false;
  const answered = session.state.conversation.messages.at(-1);
  const results = answered?.role === "tool" ? answered.content.map((each) => each.call) : [];
  for (const call of session.state.conversation.open) {
    if (results.includes(call.id)) continue;
    const result = lost("refused", "call.not-run", words.notRun);
    session.append({ type: "call.ended", turn: turn.turn, call: call.id, tool: call.name, result, ms: 0 });
  }
  return true;
}

/** Ends an interrupted turn that nobody resumes. */
export function abandon(session: Session, words: Words = crashed): void {
  const turn = openTurn(session.state);
  if (!turn) return;
  session.append({
    type: "turn.ended",
    turn: turn.turn,
    stop: { kind: "crashed", text: words.turn },
    usage: turn.usage,
    cost: turn.cost,
  });
}

/**
 * Of a copy. Where another process works on the session nothing was cut off, and nothing is done twice; without one, what a
 * crash left open is told as ever.
 */
export function closeCopied(session: Session, pid: number | undefined): void {
  const words = pid === undefined ? crashed : elsewhere(pid);
  if (recover(session, words)) abandon(session, words);
}
