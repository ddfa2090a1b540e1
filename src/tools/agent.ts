import { headTail } from "../base/head-tail.ts";
import { outlineOf } from "../base/outline.ts";
import type { AgentReport } from "../guard/contract/grant.ts";
import type { AgentRow } from "../protocol/agent.ts";
import { failure } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import prompt from "./agent.md";
import { orFailure } from "./failure.ts";
import { choice, fields, flag, optional, text } from "./input.ts";
import { plural } from "./sizes.ts";
import { type AnyTool, defineTool, ToolInputError } from "./tool.ts";

const ops = ["start", "send", "await", "list", "cancel"] as const;
const synonyms = new Map<string, (typeof ops)[number]>([
  ["spawn", "start"],
  ["run", "start"],
  ["message", "send"],
  ["wait", "await"],
  ["result", "await"],
  ["status", "list"],
  ["stop", "cancel"],
  ["kill", "cancel"],
]);

/** Answers that are longer lose their middle; each subagent is to answer what it was asked, not to hand on what it read. */
const shownOfOne = 8_000;
const shownOfAll = 24_000;
/** Bytes of all descriptions, and of the names behind them, so that a folder full of definitions does not fill every request. */
const shownDefinitions = 1_200;
const shownNames = 300;

/** The tool, for the definitions that there are. */
export const agentTool = (definitions: readonly { name: string; description: string }[]): AnyTool =>
  defineTool({
    name: "agent",
    prompt: `${prompt.trim()} ${definitionLines(definitions)}`,
    input: fields({
      agent: optional(text("", ["name", "subagent_type", "agent_name", "type", "id"])),
      task: optional(text("", ["prompt", "message", "text", "instructions"])),
      op: optional({ ...choice(ops, synonyms), schema: { type: "string" } }),
      background: flag("", ["run_in_background"]),
    }),
    parse({ agent = "", task, op = "start", background }) {
      const given = { ...(task !== undefined && { task }), ...(background && { background }) };
      if ((op === "start" || op === "send") && agent.trim() === "") throw new ToolInputError("say which agent.");
      return { kind: "agent", op, agent: agent.trim(), ...given };
    },
    run: ({ op = "start" }, grant) => orFailure(grant, async () => resultOf(op, await grant.agents.act())),
  });

/** On a line where there is nothing to say but the names. */
function definitionLines(definitions: readonly { name: string; description: string }[]): string {
  if (definitions.every(({ description }) => description === ""))
    return `${definitions.map(({ name }) => name).join(", ")}.`;
  const rest = (names: readonly string[]) => {
    const listed = names.join(", ");
    return `also: ${listed.length > shownNames ? `${listed.slice(0, shownNames).replace(/,[^,]*$/, "")} …` : listed}`;
  };
  return `\n${outlineOf(definitions, shownDefinitions, rest)}`;
}

/** The first part is fettle's own; the answers follow, each as data of the subagent that gave it. */
function resultOf(op: (typeof ops)[number], reports: readonly AgentReport[]): Result {
  const heads = reports.map(({ row }) => `[${headOf(row)}]`);
  const head = heads.length > 0 ? heads.join("\n") : "[no subagent is at work]";
  const room = Math.min(shownOfOne, Math.floor(shownOfAll / Math.max(1, reports.length)));
  const answers = reports.flatMap(({ row, text: answer }) =>
    answer === ""
      ? []
      : [{ type: "text" as const, source: `subagent ${row.agent}`, text: shortened(answer, room, row) }],
  );
  const [only] = reports;
  const fails = op === "start" && only !== undefined && only.row.state !== "done" && only.row.endedAt !== undefined;
  const { parts } = failure("agent.ended", head);
  if (fails) return { status: "failed", code: `agent.${only.row.state}`, parts: [...parts, ...answers] };
  return { status: "done", parts: [...parts, ...answers] };
}

function headOf({ agent, state, why, rounds, calls, endedAt }: AgentRow): string {
  if (endedAt === undefined || state === "working" || state === "waiting") {
    return `${agent} ${state === "waiting" ? "waits for its turn" : "works"}`;
  }
  const took = `${plural(rounds, "round")}, ${plural(calls, "call")}`;
  return `${agent} ${state}: ${took}${why === undefined ? "" : `; ${why}`}`;
}

function shortened(answer: string, room: number, { agent, session }: AgentRow): string {
  const { head, tail, left } = headTail(answer, Math.floor(room * 0.7), Math.floor(room * 0.3));
  if (left === 0) return answer;
  return `${head}\n[${left} bytes of the answer of ${agent} left out; whole in session ${session}; ask it with op send]\n${tail}`;
}
