// What a person says to the router: of a turn, from which it learns, whoever chose the model; and how many models do one.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { StrategyName } from "../../protocol/router.ts";
import type { Assembly } from "./assembly.ts";
import type { Program } from "../program/program.ts";
import { routerOf } from "../models/routing/choose.ts";
import { routedBy } from "../models/routing/choice/words.ts";

interface Rating {
  turn?: number | undefined;
  good: boolean;
  why?: string | undefined;
}

/** Rejects with a Fault when there is no such turn, or no model has answered in it. */
export async function rateTurn(program: Program, { session, arm }: Assembly, rating: Rating): Promise<void> {
  const { turn, good, why } = rating;
  const own = session.state.turns.filter(({ origin }) => origin !== "person");
  const found = turn === undefined ? own.at(-1) : own.find((each) => each.turn === turn);
  const round = session.state.rounds.findLast((each) => each.turn === found?.turn);
  if (!found || !round) {
    throw new Fault(
      "turn.unrated",
      Exit.usage,
      turn === undefined ? "No model has answered yet." : `No model has answered in turn ${turn}.`,
      "Judge a turn once it has an answer.",
    );
  }
  const router = await routerOf(program, arm);
  router.noteNamed(session, { turn: found.turn, prompt: found.prompt, arm: round.model });
  router.watch(session);
  session.append({ type: "turn.rated", turn: found.turn, good, ...(why && { why }) });
}

/** For the session, also when it is resumed; undefined: what the settings allow. */
export async function nameStrategy(
  program: Program,
  { session, arm }: Assembly,
  strategy: StrategyName | undefined,
): Promise<void> {
  const router = await routerOf(program, arm);
  if (session.state.strategy !== strategy)
    session.append({ type: "strategy.set", ...(strategy !== undefined && { strategy }) });
  const { model } = session.state;
  const chosen = routedBy(model, program.config().settings) !== undefined;
  const how = `Turns are done by ${router.strategies(session.state).join(", ")} from here on`;
  const text = chosen ? `${how}.` : `${how}, once the model is chosen for them (/model auto); ${model} was named.`;
  session.append({ type: "notice.given", code: "router.strategy", level: "info", text });
}
