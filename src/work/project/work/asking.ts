// How a step asks its agents: by name, with the model that the project's settings choose, and what comes back is judged.
import type { z } from "zod";
import { sha256 } from "../../../base/digest.ts";
import { Fault } from "../../../base/fault.ts";
import type { AgentDefinition } from "../../../protocol/agent.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import { modelSettings } from "./model-settings.ts";
import type { ProjectWork } from "./work.ts";
import type { AgentOrder, AgentReply } from "./world.ts";
import { type AgentName, projectAgent } from "../agents/definitions.ts";
import { modelOf } from "../agents/profiles.ts";

export interface Asked<T = string> {
  agent: AgentName;
  /** What this one is about, for the person; `checker of round 2`. */
  about: string;
  text: string;
  /** This one or none, whatever the settings choose. */
  model?: string;
  data?: AgentOrder["data"];
  answer?: z.ZodType<T>;
  /** Of an answer in Markdown: what is wrong with it. */
  problems?: (text: string) => readonly string[];
}

export type Answered<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string };

/** Throws a Fault where there is no answer that can be used: nothing has been written then. */
export async function askAgent<T = string>(work: ProjectWork, asked: Asked<T>): Promise<T> {
  const [answer] = await askAgents(work, [asked]);
  if (answer && answer.problem === undefined) return answer.value;
  throw noAnswer(work, asked.agent, answer?.problem ?? "");
}

export function noAnswer(work: ProjectWork, agent: string, problem: string): Fault {
  const text = `${agent} gave no answer that can be used: ${problem.slice(0, 400)}`;
  return new Fault("project.no-answer", Exit.failed, text, `Nothing was written by it. Try again: ${work.command()}`);
}

/** As many at once as `parallelization` lets; an answer of a run that was killed is not asked for again. */
export async function askAgents<T = string>(work: ProjectWork, all: readonly Asked<T>[]): Promise<Answered<T>[]> {
  const settings = await work.settings();
  const most = settings["parallelization.enabled"] ? Math.max(1, settings["parallelization.max_concurrent_agents"]) : 1;
  const config = (await work.files()).texts.get("config.json");
  const answers: Answered<T>[] = [];
  for (let from = 0; from < all.length; from += most) {
    const some = all.slice(from, from + most);
    // Whoever is asked alone is waited for: only of several does one keep the others waiting.
    const mostMs = all.length > 1 ? settings["workflow.subagent_timeout"] : 0;
    answers.push(...(await Promise.all(some.map((asked) => askOne(work, asked, { config, mostMs })))));
  }
  return answers;
}

interface Limits {
  config: string | undefined;
  /** 0: as long as it takes. */
  mostMs: number;
}

/** A timer takes no more: 24 days. */
const longest = 2 ** 31 - 1;

async function askOne<T>(work: ProjectWork, asked: Asked<T>, { config, mostMs }: Limits): Promise<Answered<T>> {
  const { agent: name, about, answer, problems, data, model } = asked;
  const settings = modelSettings(config);
  const language = settings.language === "" ? "" : `\n\nWrite in this language: ${settings.language}.`;
  const text = asked.text + language;
  const key = `agent:${sha256(`${name}\n${text}\n${data?.text ?? ""}${model === undefined ? "" : `\n${model}`}`).slice(0, 24)}`;
  const known = work.world.kept.get(key);
  if (known !== undefined) {
    const read = answer?.safeParse(known);
    if (read?.success) return { value: read.data };
    if (!answer && typeof known === "string") return { value: known as T };
  }
  const part = { kind: "agent" as const, id: `${name}: ${about}` };
  work.part({ ...part, state: "working", text: about });
  const agent = await projectAgent(name);
  const until = mostMs > 0 ? AbortSignal.timeout(Math.min(mostMs, longest)) : undefined;
  const ask = async (failures: number): Promise<AgentReply<T>> => {
    const order = {
      ...{ agent: definitionFor(agent, modelOf(agent, settings.models, failures)), text },
      ...(model !== undefined && { model }),
      ...(data && { data }),
      ...(answer && { answer }),
      ...(problems && { problems }),
    };
    const came = await work.agent<T>(order, until);
    if (came.problem === undefined || until?.aborted !== true) return came;
    return { ...came, problem: `it gave no answer within ${mostMs / 1000} seconds (workflow.subagent_timeout)` };
  };
  let reply = await ask(0);
  if (reply.problem !== undefined && settings.models.dynamic && model === undefined && until?.aborted !== true)
    reply = await ask(1);
  work.part({
    ...part,
    state: reply.problem === undefined ? "done" : "failed",
    text: reply.problem ?? about,
    cost: reply.cost,
  });
  if (reply.problem !== undefined) return { problem: reply.problem };
  const value = answer ? reply.value : (reply.text as T);
  if (value === undefined) return { problem: "it said nothing" };
  await work.world.kept.set(key, (answer ? value : reply.text) as Json);
  return { value };
}

const sizes: ReadonlySet<string> = new Set(["small", "medium", "large"]);

function definitionFor(
  { name, description, tools, role, prompt }: Awaited<ReturnType<typeof projectAgent>>,
  model: string,
): AgentDefinition {
  return {
    ...{ name, description, prompt, role, tools: [...tools] },
    ...(sizes.has(model) ? { tier: model } : model !== "inherit" && { model }),
  };
}
