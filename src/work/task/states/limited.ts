// A mission came to a limit of money or time: the task keeps what it has, and asks whether to go on.
import type { Stop } from "../../../protocol/event.ts";
import type { StateOutcome, Work } from "../work/work.ts";
import { sentence } from "./pauses.ts";

const goOn = "go on";
const abandon = "abandon the task";

/** Undefined: the state begins again, with what the person has allowed. */
export async function overLimit(work: Work, { kind, text }: Stop): Promise<StateOutcome | undefined> {
  const how =
    kind === "budget"
      ? `Say how many US dollars more this task may cost (a limit of a policy, of the day or of the month stays), or raise the limit and say “${goOn}”, or “${abandon}”.`
      : `“${goOn}”, or “${abandon}”?`;
  const limited = `${sentence(text)} ${how}`;
  work.note({ limited }, `to be asked: ${limited}`);
  return limitAnswered(work);
}

export async function limitAnswered(work: Work): Promise<StateOutcome | undefined> {
  const { id, limited = "", raised = 0 } = work.task;
  const answer = (await work.question(limited, [goOn, abandon]))?.trim() ?? "";
  if (answer === abandon) return { to: "FAILED_BY_INTERRUPT", detail: "Abandoned by the person." };
  const more = dollarsIn(answer);
  if (more === undefined && !/^(?:go on|raised?|yes)\b/i.test(answer)) {
    const not = answer === "" ? "" : `“${answer}” is none of these. `;
    return { pause: `${not}${limited} Answer it: fettle task answer ${id} "…"` };
  }
  const by = more === undefined ? {} : { raised: raised + Math.round(more * 1e6) };
  work.note({ limited: "", ...by }, more === undefined ? "to go on" : `may cost $${more.toFixed(2)} more`);
  return undefined;
}

const dollarsIn = (answer: string): number | undefined => {
  const found = /^(?:raise (?:it )?by )?\+?\$?\s*(\d+(?:\.\d+)?)\s*(?:\$|usd|(?:us )?dollars?)?(?: more)?\.?$/i.exec(
    answer,
  )?.[1];
  return found === undefined || Number(found) <= 0 ? undefined : Number(found);
};
