// What a running tool may say and ask, as facts and deltas of its session.
import type { Json } from "../protocol/message.ts";
import type { Report } from "../tools/tool.ts";
import type { Session } from "./session/session.ts";
import { currentTurn } from "./session/state.ts";

interface ReportParts {
  signal: AbortSignal;
  question(call: string, signal: AbortSignal): Promise<string | undefined>;
}

export const reportOf = (session: Session, call: string, { signal, question }: ReportParts): Report => ({
  signal,
  output: (text) => session.publish({ type: "output.delta", call, text }),
  todo: (items) => {
    session.append({ type: "todo.set", items });
  },
  ask: async (text, options) => {
    const turn = currentTurn(session.state)?.turn ?? 0;
    session.append({ type: "question.asked", turn, call, question: text, options });
    const answer = await question(call, signal);
    session.append({ type: "question.answered", turn, call, ...(answer !== undefined && { answer }) });
    return answer;
  },
  pass: {
    call,
    told: (method, params) => session.publish({ type: "mcp.told", call, method, params }),
    async asked(method, params) {
      const id = crypto.randomUUID();
      const answer = question(id, signal);
      session.publish({ type: "mcp.asked", call, id, method, params });
      const said = await answer;
      const given = said === undefined ? null : (JSON.parse(said) as Json);
      return given === null ? undefined : given;
    },
  },
  recall: async (wanted) => {
    const { recallText } = await import("./context/recall.ts");
    return recallText(session, wanted);
  },
});
