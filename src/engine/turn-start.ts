import type { Part } from "../protocol/message.ts";
import type { Session } from "./session/session.ts";

/** The number of the turn. A prompt that nobody else is named for is the person's, whose turn the model does. */
export function startTurn(session: Session, prompt: Part[], origin: "model" | "person" | "agent" | "fettle"): number {
  const turn = session.nextTurn();
  session.append({ type: "turn.started", turn, prompt, origin, by: origin === "model" ? "person" : origin });
  return turn;
}
