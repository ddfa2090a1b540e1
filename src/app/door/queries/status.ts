// What a status line tells besides what the session says of itself: branch, money limit, room in the window.
import { checkedOut } from "../../../io/git/git-tips.ts";
import type { Answer } from "../../../protocol/query.ts";
import type { Session } from "../../../engine/session/session.ts";
import type { QueryContext } from "./context.ts";
import { contextOf } from "./context-view.ts";

const hookInput = ({ model, cost, turns }: Session["state"]) => ({
  ...{ model, cost_usd: cost === null ? null : cost / 1_000_000, turn: turns.length },
});

export async function statusOf(context: QueryContext): Promise<Answer<"session.status">> {
  const { program } = context;
  const limit = program.config().settings.budget.session_limit_usd;
  const head = checkedOut(program.workspace);
  // Only a session that runs has sent anything.
  const running = await context.running();
  const view = running && running.session.state.turns.length > 0 ? await contextOf(context) : undefined;
  const session = running && program.store().session(running.session.id)?.title;
  const jobs = running?.jobs.list().filter(({ state }) => state === "running").length ?? 0;
  const hook = running && (await running.hooks?.status(hookInput(running.session.state)));
  return {
    parts: program.config().settings.terminal.status,
    ...(session && { session }),
    ...(hook !== undefined && hook !== "" && { hook }),
    ...(jobs > 0 && { jobs }),
    ...(limit > 0 && { limitUsd: limit }),
    ...(typeof head === "object" && { branch: head.branch }),
    ...(view && { room: Math.max(0, Math.min(1, 1 - view.tokens / view.window)) }),
  };
}
