import { type Context, note } from "./context.ts";
import { type Flow, unknown } from "../syntax/text.ts";

/**
 * What a bug of ours throws becomes a question about this command, and hides nothing that stands beside it. What is
 * nested too deeply is told of the whole. `putBack`: of what was changed on the way.
 */
export function orQuestion(at: Context, judged: () => Flow, putBack: () => void = () => undefined): Flow {
  try {
    return judged();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    putBack();
    note(at, "L2", "shell.not-judged", `cannot be looked through (${String(error)})`, "unparseable");
    return unknown();
  }
}
