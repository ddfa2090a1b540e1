// What a call of another agent's program is told to do, and for whom.
import type { BudgetNode } from "../../../engine/budget/node.ts";
import type { Session } from "../../../engine/session/session.ts";
import { endpoints } from "../../../model/contract/endpoints.ts";
import { knownPrograms } from "../../../model/registry/command-line.ts";
import type { ActionOf } from "../../../protocol/action.ts";
import type { Role } from "../../../protocol/decision.ts";
import type { Usage } from "../../../protocol/message.ts";
import { ToolInputError } from "../../../tools/tool.ts";
import { sandboxOf } from "../../program/machine.ts";
import type { Money } from "../../record/money.ts";
import type { Program } from "../../program/program.ts";
import { toldModel } from "./price.ts";

/** For whom it works. */
export interface AgentWork {
  program: Program;
  session: Session;
  money: Money;
  budget: BudgetNode;
  role(): Role;
  /** Told once for each run that may have cost something. */
  spent(data: { model: string; usage: Usage; cost: number | null; estimated: boolean }): void;
  task: string;
  /** The subagent that it works as. */
  agent: string;
  /** What that subagent is there for. */
  mission?: string;
}

export interface AgentInput {
  agent: string;
  prompt: string;
  opening: string;
  model?: string | undefined;
  effort?: string | undefined;
}

const nested =
  "Codex confines its commands by a sandbox of its own, which cannot be made inside of fettle's. To let fettle's be the " +
  "only one: fettle config set cli.codex_sandbox fettle (Codex is then started with --sandbox danger-full-access, within it).";

export function actionOf({ program, session, role, mission }: AgentWork, input: AgentInput): ActionOf<"cli-agent"> {
  const known = knownPrograms.find((each) => each.program === input.agent);
  // A model that knows of it by hearsay does not start agents with it.
  if (!known || !session.state.rounds.findLast(({ aside }) => !aside)?.model.startsWith(`cli/${known.program}`))
    throw new ToolInputError("it is not for models to call.");
  const { settings } = program.config();
  const { max_usd, timeout_minutes } = settings.cli;
  const { baseUrl = "", defaultModel } = endpoints(settings, program.env).get(known.vendor) ?? {};
  const model = toldModel(known.program, input.model, defaultModel);
  if (known.program === "codex" && settings.cli.codex_sandbox === "own" && sandboxOf(program).name !== "none")
    throw new ToolInputError(nested);
  const resume = session.state.cliSessions[known.program]?.id;
  const opening = mission === undefined ? input.opening : `${mission.trim()}\n\n${input.opening}`;
  return {
    kind: "cli-agent",
    agent: known.program,
    prompt: resume === undefined ? opening : input.prompt,
    host: hostOf(baseUrl),
    writes: role() !== "read-only",
    cap: Math.max(1, Math.round(max_usd * 1e6)),
    timeoutMs: timeout_minutes * 60_000,
    ...(model !== undefined && { model }),
    ...(input.effort !== undefined && { effort: input.effort }),
    ...(resume !== undefined && { resume }),
  };
}

function hostOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).host;
  throw new ToolInputError(`the address ${JSON.stringify(url)} of its provider is not a URL.`);
}
