// One run of another agent's program: what it says it did becomes facts, what it says it cost is spent and kept.
import { headTail } from "../../base/head-tail.ts";
import { isRefusal, type Reservation } from "../../engine/budget/node.ts";
import { type CliSession, currentTurn } from "../../engine/state.ts";
import type { Grant } from "../../guard/grant.ts";
import type { ProcessExit } from "../../io/process/spec.ts";
import { JsonLines } from "../../model/cli-agents/lines.ts";
import { Transcript } from "../../model/cli-agents/transcript.ts";
import { costOf, priceOf } from "../../model/pricing.ts";
import { knownPrograms } from "../../model/registry/command-line.ts";
import type { Usage } from "../../protocol/message.ts";
import { failure } from "../../protocol/outcome.ts";
import type { Result } from "../../protocol/result.ts";
import type { Report } from "../../tools/tool.ts";
import { type AgentInput, type AgentWork, actionOf, reportsCost } from "./action.ts";
import { wireOf } from "./drivers.ts";

interface Run {
  input: AgentInput;
  grant: Grant;
  report: Report;
}

/** Longer answers lose their middle. */
const longestAnswer = 48_000;

export async function runAgent(work: AgentWork, { input: said, grant, report }: Run): Promise<Result> {
  const { model: chosen } = actionOf(work, said);
  const input = { ...said, model: chosen };
  const { session, budget } = work;
  const cap = capOf(work);
  if ("problem" in cap) return failure("cli-agent.budget", cap.problem);
  const price = priceFor(work, input);
  if (!price && !reportsCost(input.agent) && budget.limited())
    return failure("cli-agent.unknown-price", unknownPrice(work, input));
  const lines = new JsonLines();
  const transcript = new Transcript();
  const over = new AbortController();
  const by = input.agent;
  const before: CliSession | undefined = session.state.cliSessions[by];
  const turn = currentTurn(session.state)?.turn ?? 0;
  const call = session.state.pending.at(-1)?.call ?? "";
  const heard = (found: ReturnType<JsonLines["push"]>): void => {
    for (const line of found) {
      for (const event of wireOf(by)(line)) {
        const news = transcript.hear(event);
        if (news?.type === "begun") report.output(`${by}: ${news.act.tool} ${news.act.text}\n`);
        if (news?.type === "said") report.output(news.text);
        if (news?.type === "done") {
          const { tool, text, ok } = news.act;
          session.append({ type: "cli.acted", turn, call, by, tool, text, ...(ok !== undefined && { ok }) });
        }
      }
    }
    if ((costSince(before, transcript) ?? knownCost(work, input, transcript) ?? 0) > cap.micro) over.abort();
  };
  let exit: ProcessExit;
  try {
    exit = await grant.process.run((text) => heard(lines.push(text)), over.signal);
    heard(lines.end());
  } catch (error) {
    cap.held?.release();
    throw error;
  }
  for (const { tool, text } of transcript.unended()) session.append({ type: "cli.acted", turn, call, by, tool, text });
  const told = { usage: transcript.usage(), ...(transcript.cost() !== undefined && { cost: transcript.cost() ?? 0 }) };
  const usage = usageSince(before, transcript, by);
  const cost = costSince(before, transcript) ?? costOf(usage, price) ?? knownCost(work, input, transcript);
  const model = input.model === undefined ? `cli/${by}` : `cli/${by}/${input.model}`;
  cap.held?.commit(cost ?? 0);
  const problem = over.signal.aborted
    ? `it was stopped, as it had cost more than ${usd(cap.micro)} (cli.max_usd, or what the budget had left)`
    : problemOf(exit, transcript, lines.noise);
  session.append({
    ...{ type: "cli.ended", turn, call, by, model, acts: transcript.acts, usage, cost, ms: exit.ms },
    told,
    ...(transcript.session !== "" && { resume: transcript.session }),
    ...(problem !== undefined && { problem }),
  });
  work.spent({ model, usage, cost });
  return resultOf({ by, problem, transcript, exit, figures: figuresOf(transcript.acts, usage, cost) });
}

interface Ended {
  by: string;
  problem: string | undefined;
  transcript: Transcript;
  exit: ProcessExit;
  figures: string;
}

function resultOf({ by, problem, transcript, exit, figures }: Ended): Result {
  const { head, tail, left } = headTail(transcript.answer(), longestAnswer * 0.7, longestAnswer * 0.3);
  const answer = left === 0 ? transcript.answer() : `${head}\n[… ${left} bytes left out …]\n${tail}`;
  const told = answer.trim() === "" ? [] : [{ type: "text" as const, source: by, text: answer }];
  const back = exit.restoredControlFiles ?? [];
  const undone = back.length > 0 ? `; it changed git's control files, which was undone: ${back.join(", ")}` : "";
  if (problem === undefined)
    return { status: "done", parts: [{ type: "text", text: `[${figures}${undone}]` }, ...told] };
  const text = `${problem}${/[.!?]$/.test(problem) ? "" : "."} [${figures}${undone}]`;
  return { status: "failed", code: "cli-agent.failed", parts: [{ type: "text", text }, ...told] };
}

const usd = (micro: number): string => `${(micro / 1e6).toFixed(2)} USD`;

function figuresOf(acts: number, usage: Usage, cost: number | null): string {
  const tokens = `${usage.input + usage.output} tokens`;
  return `${acts} ${acts === 1 ? "act" : "acts"} of its own, ${tokens}, ${cost === null ? "cost unknown" : usd(cost)}`;
}

function problemOf(exit: ProcessExit, transcript: Transcript, noise: string): string | undefined {
  if (exit.ended === "timeout") return "it was stopped at its time limit (cli.timeout_minutes)";
  if (exit.ended === "stopped") return "it was stopped";
  if (exit.ended === "exceeded") return `it used too much of the machine (${exit.exceeded ?? "limits"})`;
  if (transcript.problem !== undefined) return transcript.problem;
  const said = noise.split("\n").slice(-5).join(" ").slice(-600);
  if (exit.code !== 0) return `it ended with exit code ${exit.code ?? "none"}${said === "" ? "" : `: ${said}`}`;
  if (!transcript.ended) return `it ended without saying so${said === "" ? "" : `: ${said}`}`;
  return transcript.answer().trim() === "" ? "it said nothing" : undefined;
}

const vendorOf = (by: string): string => knownPrograms.find(({ program }) => program === by)?.vendor ?? "";

/** As set for the arm, else the list's for the model that it was told to use. */
function priceFor({ program }: AgentWork, { agent, model }: AgentInput) {
  const { settings } = program.config();
  const own = priceOf(`cli/${agent}`, settings) ?? (model && priceOf(`cli/${agent}/${model}`, settings));
  return own || (model === undefined ? undefined : priceOf(`${vendorOf(agent)}/${model}`, settings));
}

const unknownPrice = ({ program }: AgentWork, { agent }: AgentInput): string =>
  `${agent} does not say what it costs, so the budget of ${program.config().settings.budget.session_limit_usd} USD cannot hold. ` +
  `Name a model whose price is known (--model cli/${agent}/MODEL), or set prices."cli/${agent}".input and .output.`;

/** By the list's prices of the models that it says it asks; null where one has none. */
function knownCost({ program }: AgentWork, { agent }: AgentInput, transcript: Transcript): number | null {
  const { settings } = program.config();
  let sum = 0;
  for (const { model, usage } of transcript.spending()) {
    const cost = costOf(usage, priceOf(`${vendorOf(agent)}/${model}`, settings));
    if (cost === null) return null;
    sum += cost;
  }
  return transcript.usage().input + transcript.usage().output > 0 && sum === 0 ? null : sum;
}

/** The same conversation as before goes on. */
const goesOn = (before: CliSession | undefined, { session }: Transcript): before is CliSession =>
  before !== undefined && before.id === session;

/** Claude Code says what the whole conversation has cost. */
function costSince(before: CliSession | undefined, transcript: Transcript): number | undefined {
  const total = transcript.cost();
  if (total === undefined || !goesOn(before, transcript)) return total;
  return Math.max(0, total - (before.told.cost ?? 0));
}

/** Codex counts the tokens of the whole conversation. */
function usageSince(before: CliSession | undefined, transcript: Transcript, by: string): Usage {
  const usage = transcript.usage();
  if (by !== "codex" || !goesOn(before, transcript) || usage.input < before.told.usage.input) return usage;
  const less = (name: keyof Usage) => Math.max(0, usage[name] - before.told.usage[name]);
  return {
    input: less("input"),
    output: less("output"),
    cacheRead: less("cacheRead"),
    cacheWrite: less("cacheWrite"),
    reasoning: less("reasoning"),
  };
}

/** What it may cost, held in the budget while it runs: the cap, or what is left when that is less. */
function capOf({ program, budget }: AgentWork): { micro: number; held?: Reservation } | { problem: string } {
  const wanted = Math.max(1, Math.round(program.config().settings.cli.max_usd * 1e6));
  if (!budget.limited()) return { micro: wanted };
  const micro = Math.min(wanted, Math.floor(budget.left()));
  const held = micro > 0 ? budget.reserve(micro) : undefined;
  if (held && !isRefusal(held)) return { micro, held };
  return { problem: "No money is left in the budget for another agent's program (fettle cost shows where it went)." };
}
