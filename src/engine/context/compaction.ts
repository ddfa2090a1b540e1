// Makes room: the beginning of the conversation gives way to a summary, or is left out where there is none. Nothing of it
// is lost: the store keeps every message.
import { suspicions } from "../../guard/firewall/data.ts";
import type { Arm } from "../../model/arms.ts";
import { bytesOf } from "../../model/size.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { Message, Part, Usage } from "../../protocol/message.ts";
import { noUsage } from "../../protocol/usage.ts";
import { compact } from "../conversation.ts";
import { currentTurn } from "../state.ts";
import { type AsideAnswer, askAside } from "./aside.ts";
import { Masking } from "./masking.ts";
import { digestsOf, missingPins, openingOf, type Pin, pinsOf } from "./opening.ts";
import { buildRequest } from "./prefix.ts";
import { filesToRestore, restoreFiles } from "./restore.ts";
import type { Kept, RoomParts, Why, Wish } from "./room.ts";
import { digestRequest, keptSummary, type SummaryWish, summaryRequest } from "./summary.ts";
import { cutOf, leastKept } from "./tail.ts";
import { overflowTail, type WindowLimits } from "./window.ts";
import { boundedWords, wordsOf } from "./words.ts";

export interface Compaction {
  kept: Kept;
  room: RoomParts;
  why: Why;
  fill: number;
  wish?: Wish;
}

/** So many compactions without a summary in a row, and no more is tried but at a person's word. */
const mostFailures = 3;

/** In tokens; a summary takes as much. */
const leastGain = 1_000;

/** What of the messages goes, and what of it has to stay in other words. */
interface Plan {
  limits: WindowLimits;
  shown: Message[];
  cut: number;
  words: string[];
  pins: Pin[];
}

/** Why nothing was left out; undefined when it was. */
export async function makeRoom(work: Compaction): Promise<string | undefined> {
  const { kept, room, why, wish } = work;
  const plan = planOf(work);
  if (!plan) return `There is nothing to leave out yet: the newest ${leastKept} messages always stay.`;
  const trigger = why === "asked" ? ("manual" as const) : ("auto" as const);
  const told = await kept.parts.compacting?.({ trigger, custom_instructions: wish?.focus ?? "" }, room.signal);
  if (told?.denied !== undefined) return `A hook keeps the conversation as it is: ${told.denied}`;
  const summary = await summarize(work, plan, {
    ...(wish?.focus !== undefined && { focus: wish.focus }),
    ...(told && { said: told.said }),
  });
  if (room.signal.aborted) return "It was stopped.";
  const files = await restored(work, plan);
  if (room.signal.aborted) return "It was stopped.";
  return record(work, plan, { summary, files });
}

function planOf({ kept, room, why }: Compaction): Plan | undefined {
  const { state } = kept.parts.session;
  const limits = kept.limitsFor(room.arm);
  const shown = kept.shown(room.arm);
  const tail = why === "overflow" ? overflowTail(limits) : limits.tail;
  const cut = cutOf(shown, tail);
  const gone = shown.slice(0, cut).reduce((sum, message) => sum + bytesOf(message), 0);
  if (kept.tokensOf(gone) < leastGain) return undefined;
  const { messages, opening } = state.conversation;
  const said = messages.slice(0, cut).flatMap((message) => wordsOf(message) ?? []);
  const words = boundedWords([...(opening?.words ?? []), ...said], limits.words);
  const pins = pinsOf({ words, todo: state.todo, asked: state.asked, more: kept.parts.pins?.() ?? [] });
  return { limits, shown, cut, words, pins };
}

interface Summary {
  text?: string;
  found: string[];
  problem?: string;
  model?: string;
  usage: Usage;
  cost: number | null;
}

async function summarize(work: Compaction, plan: Plan, wish: SummaryWish): Promise<Summary> {
  const { kept, why, fill } = work;
  const { session } = kept.parts;
  const failures = session.state.conversation.opening?.failures ?? 0;
  if (failures >= mostFailures && why !== "asked")
    return { problem: `the last ${failures} summaries failed`, found: [], usage: noUsage, cost: 0 };
  session.publish({ type: "context.compacting", tokens: fill });
  const { answer, arm } = await askForSummary(work, plan, wish);
  const text = answer.text === undefined ? undefined : keptSummary(answer.text);
  const spent = { model: arm.name, usage: answer.usage, cost: answer.cost };
  if (text === undefined) return { problem: answer.problem ?? `${arm.name} wrote no summary`, found: [], ...spent };
  return { text, found: await suspicions(text), ...spent };
}

/** First from the messages as they were sent, as far as that is cached; else from an extract. */
async function askForSummary(
  work: Compaction,
  plan: Plan,
  wish: SummaryWish,
): Promise<{ answer: AsideAnswer; arm: Arm }> {
  const { kept, room, why } = work;
  const { temperature } = room;
  const dropped = plan.shown.slice(0, plan.cut);
  const other = await kept.parts.summaryArm?.();
  if (!other && why !== "overflow") {
    const { arm } = room;
    const answer = await askAside(room, arm, summaryRequest(room.prefix, dropped, wish, { arm, temperature }));
    if (answer.kind !== "context") return { answer, arm };
  }
  const arm = other ?? room.arm;
  const tokens = Math.floor(Math.min(arm.contextWindow, other ? Number.POSITIVE_INFINITY : plan.limits.window) * 0.4);
  return { answer: await askAside(room, arm, digestRequest(dropped, wish, { arm, temperature, tokens })), arm };
}

async function restored({ kept, room }: Compaction, { shown, cut, limits }: Plan): Promise<Restored> {
  const paths = filesToRestore(shown, cut);
  if (limits.files.all === 0 || paths.length === 0) return { parts: [], files: [] };
  return restoreFiles(paths, limits.files, { ...room, gate: await room.gate(), seq: kept.parts.session.state.seq });
}
interface Restored {
  parts: Part[];
  files: string[];
}

function record(
  work: Compaction,
  plan: Plan,
  { summary, files }: { summary: Summary; files: Restored },
): string | undefined {
  const { kept, room, why, fill } = work;
  const { session } = kept.parts;
  const { text, found, problem, model, usage, cost } = summary;
  const made = (parts: Restored): Omit<FactOf<"context.compacted">, "after"> => ({
    type: "context.compacted",
    ...{ turn: currentTurn(session.state)?.turn ?? 0, why, by: text === undefined ? "truncation" : "summary" },
    ...(problem !== undefined && { problem }),
    dropped: plan.cut,
    opening: openingOf({
      dropped: plan.cut,
      pins: plan.pins,
      summary: text === undefined ? { problem: problem ?? "" } : { text, found },
      files: parts.parts,
    }),
    ...{ words: plan.words, files: parts.files, pinned: digestsOf(room.prefix, plan.pins), before: fill },
    ...{ ...(model !== undefined && { model }), usage, cost },
  });
  // Files that take up what was gained are left to be read again.
  const wanted = made(files);
  const checked = [wanted, made({ parts: [], files: [] })].map((fact) => ({
    fact,
    after: sizeAfter(work, plan, fact),
  }));
  const fits = checked.find(({ after }) => after < fill * 0.9);
  if (!fits) return "Leaving out the beginning of the conversation would save next to nothing.";
  session.append({ ...fits.fact, after: fits.after });
  if (found.length > 0) session.append({ type: "taint.raised", source: "summary", why: found.join(", ") });
  tellBreaker(session.state.conversation.opening?.failures ?? 0, work);
  return undefined;
}

/** Of the next request; throws where anything that has to stay would be missing from it. */
function sizeAfter({ kept, room }: Compaction, plan: Plan, fact: Omit<FactOf<"context.compacted">, "after">): number {
  const next = compact(kept.parts.session.state.conversation, fact);
  const masking = new Masking(plan.limits);
  const request = buildRequest(room.prefix, masking.shown(next.messages), {
    model: room.arm.model,
    maxOutputTokens: 1,
  });
  const missing = missingPins(request, fact.pinned);
  if (missing.length > 0) throw new Error(`a compaction would have lost ${missing.join(", ")}`);
  const tools = request.tools.reduce((sum, tool) => sum + bytesOf(tool), 0);
  const sources = room.prefix.sources ? bytesOf(room.prefix.sources) : 0;
  return kept.tokensOf(Buffer.byteLength(request.system) + tools + sources + masking.bytes);
}

function tellBreaker(failures: number, { kept, why }: Compaction): void {
  if (failures !== mostFailures || why === "asked") return;
  const text = `${mostFailures} summaries in a row failed: from now on the beginning of the conversation is left out without one. /compact tries again.`;
  kept.parts.session.append({ type: "notice.given", code: "context.breaker", level: "warning", text });
}
