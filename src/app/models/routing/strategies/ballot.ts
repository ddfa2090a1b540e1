// The best of several results of the same work, named by a model that does not know whose they are.
import { blind, judgeOf } from "../../../../model/router/parts.ts";
import { seededRandom } from "../../../../model/router/random.ts";
import { ballotIn, ballotSchema } from "../../../../model/router/verdict.ts";
import { newSeed } from "../choice/log.ts";
import { asData, askedIn, consult } from "../choice/crew.ts";
import type { Stage } from "./stage.ts";

interface Entry {
  arm: string;
  /** What its author has made of it, and says. */
  text: string;
  /** What fettle knows of it: apart from the text, which can claim anything. */
  known?: string;
}

interface Vote<T> {
  won: T;
  why: string;
}

/** `noun`: what each of them is. `how`: what makes one the best. `wrote`: all that have taken part, also with what is not shown. */
interface Question {
  noun: string;
  how: string;
  wrote?: readonly string[];
}

/** Where nobody can judge, the one that promised most, which is the first. */
export async function votedBest<T extends Entry>(
  { course, staff }: Stage,
  entries: readonly T[],
  { noun, how, wrote = [] }: Question,
  signal: AbortSignal,
): Promise<Vote<T> | undefined> {
  const { turn, ask, plan } = course;
  const authors = entries.map(({ arm }) => arm);
  const { candidates } = plan.decision;
  const apart = judgeOf(candidates, [...authors, ...wrote]);
  const judge = apart !== undefined && authors.includes(apart) ? judgeOf(candidates, authors) : apart;
  const [first] = entries;
  if (!first || judge === undefined) return undefined;
  const ballot = blind(entries, seededRandom(newSeed()));
  const labels = ballot.map(({ label }) => label);
  const shown = await Promise.all(ballot.map(({ label, item }) => asData(item.text, `${noun} ${label}`)));
  const known = ballot.flatMap(({ label, item }) => (item.known ? [`${noun} ${label}: ${item.known}`] : []));
  const sure = known.length > 0 ? [await asData(known.join("\n"), "what was found out about them")] : [];
  const asked = await asData(await askedIn(ask.session, turn), "what was asked for");
  const task = [how, asked, ...sure, ...shown].join("\n\n");
  const assigned = { model: judge, schema: ballotSchema(labels) };
  const said = await consult({ staff, turn, signal }, { definition: "reviewer", task, assigned });
  const vote = "text" in said ? ballotIn(said.text, labels) : undefined;
  const won = ballot.find(({ label }) => label === vote?.best)?.item;
  if (!won) return { won: first, why: `it promised most, as ${judge} could not judge them.` };
  const own = authors.includes(judge) ? "its own among them" : "none of them its own";
  return {
    won,
    why: `${judge} judged it the best of ${entries.length} without knowing whose they are (${own}).`,
  };
}
