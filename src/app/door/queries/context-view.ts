// What a session's next request is made of, and what was said in it.
import { contextView } from "../../../engine/context/accounting.ts";
import { offeredTo } from "../../../engine/context/prefix.ts";
import { ContextKeeper } from "../../../engine/context/keeper.ts";
import { findWords } from "../../../engine/context/recall.ts";
import type { Session } from "../../../engine/session/session.ts";
import { builtinTools } from "../../../tools/builtin.ts";
import { createRegistry } from "../../../tools/registry.ts";
import type { ContextView, RecallHit } from "../../../protocol/context-view.ts";
import { prefixFor } from "../../agents/agent-parts.ts";
import { armSource } from "../../models/arms.ts";
import { contextSettings } from "../../agents/context.ts";
import type { QueryContext } from "./context.ts";
import { needed, stored } from "./sessions.ts";

/** Where no model can be asked, its window is not known either: what is usual is reckoned with. */
const usualWindow = 128_000;
/** For people: more than a model gets. */
const mostShown = 12;

/** Of the session that runs, with what its provider has counted; of a stored one, as it would go on here. */
export async function contextOf(context: QueryContext, id?: string): Promise<ContextView> {
  const running = await context.running();
  if (running && (id === undefined || id === running.session.id)) {
    const { state } = running.session;
    const arm = await running.arm(state.model);
    return contextView(running.agent.context, { state, arm, prefix: offeredTo(arm, await running.prefix()) });
  }
  const { program } = context;
  const session = await sessionOf(context, id);
  const { state } = session;
  const keeper = new ContextKeeper({ session, settings: contextSettings(program.config().settings) });
  const arm = await armSource(program)(state.model).catch(() => ({
    name: state.model,
    contextWindow: usualWindow,
    patches: false,
  }));
  return contextView(keeper, {
    state,
    arm,
    prefix: offeredTo(arm, await prefixFor(program, createRegistry(builtinTools))),
  });
}

export async function recalled(
  context: QueryContext,
  { words, session }: { words: string; session?: string },
): Promise<RecallHit[]> {
  const found = await sessionOf(context, session);
  return findWords(found, words, mostShown);
}

const sessionOf = async (context: QueryContext, id?: string): Promise<Session> =>
  id === undefined ? needed(context) : stored(context.program, id);
