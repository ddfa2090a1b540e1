// Those that a strategy asks beside the turn's own arm: subagents of the session that read, or work in a copy, and what they are shown.
import type { Checkpoints } from "../../../../engine/checkpoint.ts";
import { AgentProblem, type Assigned, type Subagents } from "../../../../engine/agents/subagents.ts";
import type { Session } from "../../../../engine/session/session.ts";
import { suspicions, wrapAsData } from "../../../../guard/firewall/data.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { StoredFact } from "../../../../protocol/event.ts";
import type { AgentRow } from "../../../../protocol/agent.ts";
import type { TaskType } from "../../../../protocol/router.ts";
import type { Gate } from "../../../../guard/gate.ts";
import type { Copies, OpenCopy } from "../../../session/copies/spec.ts";
import { textIn } from "../../../../base/text-in.ts";

/** What a strategy works with; there is none where no subagents may be started. */
export interface Staff {
  workspace: string;
  open(): Promise<Pick<Subagents, "consult">>;
  checkpoints(): Pick<Checkpoints, "close" | "ensure">;
  /** Of the session itself, or of one that works for it. */
  facts(session?: string): readonly StoredFact[];
  gate(): Promise<Gate>;
  copies(): Promise<Copies>;
  /** Whether the answer passes router.check; undefined where there is no such command, or it says nothing. */
  check(answer: string, signal: AbortSignal): Promise<boolean | undefined>;
  /** How router.check_changes ends in the copy; undefined where there is no such command, or it says nothing. */
  checkChanges(copy: OpenCopy, signal: AbortSignal): Promise<Evidence | undefined>;
}

interface Consultation {
  definition: "reviewer" | "planner" | "explorer" | "coder";
  task: string;
  assigned: Assigned;
}

type Consulted = { text: string; row: AgentRow } | { failed: string };

/** Never rejects for what a model or a provider does. */
export async function consult(
  { staff, turn, signal }: { staff: Staff; turn: number; signal: AbortSignal },
  wish: Consultation,
): Promise<Consulted> {
  try {
    const report = await (await staff.open()).consult(wish, { call: `strategy-${turn}`, signal });
    if (!report) return { failed: "no subagent may be started for it" };
    const { state, why = "" } = report.row;
    if (state !== "done") return { failed: why || state };
    return report.text.trim() === "" ? { failed: "it answered nothing" } : { text: report.text, row: report.row };
  } catch (error) {
    if (error instanceof AgentProblem) return { failed: error.message };
    throw error;
  }
}

/** Definitions that can do nothing but read. */
export const authorFor = (type: TaskType): Consultation["definition"] => {
  if (type === "planning" || type === "orchestration") return "planner";
  return type === "explain" ? "explorer" : "reviewer";
};

const longestText = 24_000;

export const cut = (text: string, most = longestText): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[… cut after ${most} characters …]`;

export async function asData(text: string, source: string): Promise<string> {
  const shown = cut(text);
  return wrapAsData(shown, source, await suspicions(shown));
}

const longestEarlier = 6_000;

/** The prompt of the turn, with what was said before it. */
export async function askedIn({ state }: Session, turn: number): Promise<string> {
  const { messages } = state.conversation;
  const { messagesBefore = 0, prompt = [] } = state.turns.find((each) => each.turn === turn) ?? {};
  const said = messages.slice(0, messagesBefore).flatMap(({ role, content }) => {
    const text = textIn(content);
    return role === "tool" || text.trim() === "" ? [] : [`${role}: ${text}`];
  });
  const earlier = said.join("\n\n").slice(-longestEarlier);
  const now = messages.slice(messagesBefore).find(({ role }) => role === "user") ?? { content: prompt };
  const asked = now.content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
  return [...(earlier ? [await asData(earlier, "the conversation so far")] : []), cut(asked)].join("\n\n");
}

/** What the turn has changed so far; empty where nothing was, or that cannot be seen. */
export async function changesIn(staff: Staff, turn: number): Promise<string> {
  const closed = await staff.checkpoints().close(turn, true);
  const files = closed?.diff?.files ?? [];
  return cut(files.map(({ path, change, patch }) => `${change} ${path}\n${patch}`).join("\n"));
}
