// The arm of a turn: the one that was named, or the router's choice; the router is loaded for nobody else.
import type { ArmChoice, ArmWish } from "../../../engine/arm-choice.ts";
import type { Session } from "../../../engine/session/session.ts";
import type { Firewall } from "../../../guard/firewall/firewall.ts";
import type { ArmSource } from "../cards/arm-source.ts";
import type { Program } from "../../program/program.ts";
import type { Router } from "./router.ts";
import type { Staff } from "./choice/crew.ts";
import { routedBy } from "./choice/words.ts";

interface ChoiceContext {
  program: Program;
  arms: ArmSource;
  session: Session;
  firewall: Firewall;
  /** Of the agent that leads a session: several arms may do its turns. */
  staff?: Staff;
}

export async function chooseArm(around: ChoiceContext, wish: ArmWish): Promise<ArmChoice> {
  const { program, arms, session, firewall, staff } = around;
  const by = routedBy(wish.model, program.config().settings);
  if (!by) {
    const { strategy } = session.state;
    if (staff) tellUnused(session, strategy === undefined ? program.config().settings.router.strategies : [strategy]);
    return { arm: await arms(wish.model) };
  }
  return (await routerOf(program, arms)).choose({ session, firewall, wish, by, ...(staff && { staff }) });
}

/** A person who wants several models is told what keeps them from it. */
function tellUnused(session: Session, strategies: readonly string[]): void {
  if (strategies.includes("single")) return;
  const text = `${session.state.model} was named, so ${strategies.join(", ")} has no effect: that needs --model auto.`;
  session.append({ type: "notice.given", code: "router.strategy", level: "warning", text });
}

/** What becomes of earlier work of a session counts, also where nothing is chosen any more. */
export async function watchOutcomes(program: Program, arms: ArmSource, session: Session): Promise<void> {
  if (routedBy(session.state.model, program.config().settings)) (await routerOf(program, arms)).watch(session);
}

interface Opened {
  opening: Promise<Router>;
  router?: Router;
}

/** One for all that ask the same source of arms: the parts of a task share theirs. */
const routers = new WeakMap<ArmSource, Opened>();

/** Loaded when first asked for. */
export function routerOf(program: Program, arms: ArmSource): Promise<Router> {
  const known = routers.get(arms);
  if (known) return known.opening;
  const load = async (): Promise<Router> => {
    const { Router } = await import("./router.ts");
    opened.router = new Router(program, arms);
    return opened.router;
  };
  const opened: Opened = { opening: load() };
  routers.set(arms, opened);
  return opened.opening;
}

/** The router of a source of arms, if anybody has asked for it. */
export const loadedRouter = (arms: ArmSource): Router | undefined => routers.get(arms)?.router;

/** What a session is to remember as its model. Rejects with a Fault when nothing of the kind can be asked. */
export async function modelName(program: Pick<Program, "config">, arms: ArmSource, model: string): Promise<string> {
  const word = model || (program.config().settings.model.default ?? "");
  const by = routedBy(word, program.config().settings);
  const { name } = await arms(word);
  return by ? by.word : name;
}
