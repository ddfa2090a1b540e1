// One run of another agent's program: what it says it did becomes facts, what it says it cost is spent and kept.
import { headTail } from "../../../base/head-tail.ts";
import { isRefusal, type Reservation } from "../../../engine/budget/node.ts";
import { currentTurn } from "../../../engine/session/state.ts";
import type { Grant } from "../../../guard/contract/grant.ts";
import type { ProcessExit } from "../../../io/process/spec.ts";
import { JsonLines } from "../../../model/cli-agents/lines.ts";
import { broke } from "../../../model/cli-agents/events.ts";
import { Transcript } from "../../../model/cli-agents/transcript.ts";
import { type KnownProgram, knownPrograms } from "../../../model/registry/command-line.ts";
import { failure } from "../../../protocol/outcome.ts";
import type { Result } from "../../../protocol/result.ts";
import type { Report } from "../../../tools/tool.ts";
import { type AgentInput, type AgentWork, actionOf } from "./action.ts";
import { RunBill, type RunCost } from "./bill.ts";
import { wireOf } from "../../session/cli-agents/drivers.ts";
import { paidAs, reportsCost } from "./price.ts";

interface Run {
  input: AgentInput;
  grant: Grant;
  report: Report;
}

/** Longer answers lose their middle. */
const longestAnswer = 48_000;

export async function runAgent(work: AgentWork, { input, grant, report }: Run): Promise<Result> {
  const { session, budget, program } = work;
  const action = actionOf(work, input);
  const { agent: by, model } = action;
  const cap = capOf(work);
  if ("problem" in cap) return failure("cli-agent.budget", cap.problem);
  const transcript = new Transcript();
  const before = session.state.cliSessions[by];
  const { settings } = program.config();
  const bill = new RunBill({ known: knownOf(by), model, settings, before, prompt: action.prompt }, transcript);
  if (!bill.price && !reportsCost(by) && budget.limited()) {
    cap.held?.release();
    return failure("cli-agent.unknown-price", unknownPrice(work, input));
  }
  if ((bill.soFar() ?? 0) > cap.micro) {
    cap.held?.release();
    return failure("cli-agent.budget", `Its first prompt alone costs more than ${usd(cap.micro)} (${capKeys}).`);
  }
  const lines = new JsonLines();
  const over = new AbortController();
  const at = { turn: currentTurn(session.state)?.turn ?? 0, call: session.state.pending.at(-1)?.call ?? "", by };
  const heard = (found: ReturnType<JsonLines["push"]>): void => {
    for (const event of found.flatMap(wireOf(by))) {
      bill.hear(event);
      const news = transcript.hear(event);
      if (news?.type === "begun") report.output(`${by}: ${news.act.tool} ${news.act.text}\n`);
      if (news?.type === "said") report.output(news.text);
      if (news?.type === "done") {
        const { tool, text, ok } = news.act;
        session.append({ type: "cli.acted", ...at, tool, text, ...(ok !== undefined && { ok }) });
      }
      if ((bill.soFar() ?? 0) > cap.micro && !over.signal.aborted) over.abort();
    }
  };
  let exit: ProcessExit;
  try {
    exit = await grant.process.run((text) => heard(lines.push(text)), over.signal);
    heard(lines.end());
  } catch (error) {
    cap.held?.release();
    throw error;
  }
  for (const { tool, text } of transcript.unended()) session.append({ type: "cli.acted", ...at, tool, text });
  const cost = bill.final(exit.ended !== "exited");
  cap.held?.commit(cost.cost ?? 0);
  const problem = over.signal.aborted ? overText(cap.micro, cost) : problemOf(exit, transcript, lines.noise);
  session.append({
    ...{ type: "cli.ended", ...at, model: paidAs(by, model), acts: transcript.acts, ms: exit.ms },
    ...{ usage: cost.usage, cost: cost.cost, ...(cost.estimated && { estimated: true }) },
    told: bill.told(cost),
    ...(transcript.session !== "" && { resume: transcript.session }),
    ...(problem !== undefined && { problem }),
  });
  work.spent({ model: paidAs(by, model), ...cost });
  return resultOf({ by, problem, transcript, exit, figures: figuresOf(transcript.acts, cost) });
}

const capKeys = "cli.max_usd, or what the budget had left";

const overText = (cap: number, { estimated }: RunCost): string =>
  `it was stopped, as it had cost more than ${usd(cap)} (${capKeys})` +
  (estimated ? ", by an estimate from what it did: it tells its tokens only at its end" : "");

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

function figuresOf(acts: number, { usage, cost, estimated }: RunCost): string {
  const about = estimated ? "about " : "";
  const tokens = `${about}${usage.input + usage.output} tokens`;
  return `${acts} ${acts === 1 ? "act" : "acts"} of its own, ${tokens}, ${cost === null ? "cost unknown" : `${about}${usd(cost)}`}`;
}

function problemOf(exit: ProcessExit, transcript: Transcript, noise: string): string | undefined {
  if (exit.ended === "timeout") return "it was stopped at its time limit (cli.timeout_minutes)";
  if (exit.ended === "stopped") return "it was stopped";
  if (exit.ended === "exceeded") return `it used too much of the machine (${exit.exceeded ?? "limits"})`;
  if (transcript.problem !== undefined) return broke + transcript.problem;
  const said = noise.split("\n").slice(-5).join(" ").slice(-600);
  if (exit.code !== 0) return `${broke}it ended with exit code ${exit.code ?? "none"}${said === "" ? "" : `: ${said}`}`;
  if (!transcript.ended) return `${broke}it ended without saying so${said === "" ? "" : `: ${said}`}`;
  return transcript.answer().trim() === "" ? `${broke}it said nothing` : undefined;
}

function knownOf(by: string): KnownProgram {
  const known = knownPrograms.find(({ program }) => program === by);
  if (!known) throw new Error(`the program ${by} was judged and is not known`);
  return known;
}

const unknownPrice = ({ program }: AgentWork, { agent }: AgentInput): string =>
  `${agent} does not say what it costs, so the budget of ${program.config().settings.budget.session_limit_usd} USD cannot hold. ` +
  `Name a model whose price is known (--model cli/${agent}/MODEL), or set prices."cli/${agent}".input and .output.`;

/** What it may cost, held in the budget while it runs: the cap, or what is left when that is less. */
function capOf({ program, budget }: AgentWork): { micro: number; held?: Reservation } | { problem: string } {
  const wanted = Math.max(1, Math.round(program.config().settings.cli.max_usd * 1e6));
  if (!budget.limited()) return { micro: wanted };
  const micro = Math.min(wanted, Math.floor(budget.left()));
  const held = micro > 0 ? budget.reserve(micro) : undefined;
  if (held && !isRefusal(held)) return { micro, held };
  return { problem: "No money is left in the budget for another agent's program (fettle cost shows where it went)." };
}
