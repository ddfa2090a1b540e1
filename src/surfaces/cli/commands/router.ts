import { Exit } from "../../../protocol/exit.ts";
import type { Client } from "../../../protocol/client.ts";
import { type RouterProfile, routerProfiles } from "../../../protocol/router.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { renderExplanation, renderSimulation, renderStats } from "../render/router.ts";
import { safeLine } from "../text/safe-text.ts";
import { wrap } from "../text/width.ts";
import { router as words } from "../words/router.ts";

export const showStats = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const stats = await client.read("router.stats", {});
    if (context.options.json) context.json(stats);
    else context.lines(renderStats(stats, context.look(), Date.now()));
    return Exit.done;
  });

interface ExplainWish {
  words: readonly string[];
  mission: string | undefined;
  plan: boolean;
}

/** Exit 1 when nothing could be asked. */
export function explainChoice(context: Context, { words: typed, mission, plan }: ExplainWish): Promise<number> {
  const prompt = typed.join(" ").trim();
  if (prompt === "") throw usageFault(words.explainNeedsPrompt, 'fettle router explain "fix the failing test"');
  return context.with({ headless: true }, async (client) => {
    const answer = await client.read("router.explain", { prompt, ...(mission && { mission }), ...(plan && { plan }) });
    if (context.options.json) context.json(answer);
    else context.lines([...(await pinned(context, client)), ...renderExplanation(answer, context.look())]);
    return answer.chosen === undefined ? Exit.failed : Exit.done;
  });
}

/** Whoever has named a model would else look in vain for these chances. */
async function pinned(context: Context, client: Client): Promise<string[]> {
  const own = context.options.model ?? (await client.read("config.get", { key: "model.default" })).value;
  if (typeof own !== "string" || !own.includes("/")) return [];
  const { style, width } = context.look();
  return wrap(words.pinned(safeLine(own)), width).map((line) => style.yellow(line));
}

interface SimulationWish {
  rounds: number;
  arms: number;
  seed: number;
  scenario: string | undefined;
}

const scenarioNames = Object.keys(words.scenarios);

/** One scenario after the other, each shown when it is done. */
export const simulateChoices = (context: Context, { scenario, ...wish }: SimulationWish): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const given = context.options.profile;
    const profile = routerProfiles.find((each) => each === given) satisfies RouterProfile | undefined;
    const all = [];
    for (const each of scenario === undefined ? scenarioNames : [scenario]) {
      const one = await client.read("router.simulate", { ...wish, scenario: each, ...(profile && { profile }) });
      all.push(...one);
      if (context.options.json) continue;
      context.lines([...one.flatMap((simulation) => renderSimulation(simulation, context.look())), ""]);
      await context.out.flush();
    }
    if (context.options.json) context.json(all);
    return Exit.done;
  });

interface ResetWish {
  arm: string | undefined;
  type: string | undefined;
  yes: boolean;
}

export const resetRouter = (context: Context, { arm, type, yes }: ResetWish): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const kind = type?.replace(/[ -]/g, "_");
    const what = arm === undefined && kind === undefined ? words.resetAll : words.resetOf(arm, kind);
    if (!yes) {
      if (!context.interactive) throw usageFault(words.resetNeedsYes, words.resetNeedsYesRemedy);
      if (!(await confirm(context, words.resetAsk(what)))) return Exit.failed;
    }
    await client.send({ type: "router.reset", ...(arm !== undefined && { arm }), ...(kind !== undefined && { kind }) });
    if (context.options.json) context.json({ forgotten: { arm: arm ?? null, type: kind ?? null } });
    else context.lines([words.resetDone(what)]);
    return Exit.done;
  });

/** The last turn of the last session, or of the one that is named. */
export const rateTurn = (context: Context, good: boolean, why: string): Promise<number> => {
  const { resume } = context.options;
  const session = resume === undefined ? ({ kind: "latest" } as const) : ({ kind: "resume", id: resume } as const);
  return context.with({ headless: true, session }, async (client) => {
    await client.send({ type: "turn.rate", good, ...(why !== "" && { why }) });
    const turn = (await client.read("session.view", {})).turns.at(-1)?.turn ?? 0;
    if (context.options.json) context.json({ turn, good });
    else context.lines([words.rated(turn, good)]);
    return Exit.done;
  });
};
