// The calls of the rounds at work that may still ask the person something: the session's own and its subagents'.
import { escapeLine } from "../../../base/escape.ts";
import type { Event } from "../../../protocol/event.ts";
import { describeInput } from "../render/action.ts";

interface Ahead {
  call: string;
  /** What it is, in a line. */
  about: string;
  /** It is judged, and its question is on its way. */
  asks: boolean;
}

type Heard = Event | Extract<Event, { type: "agent.event" }>["event"];

const own = "";

export class CallsAhead {
  /** By agent, in the order of the round; `own` is the session's. */
  readonly #rounds = new Map<string, Ahead[]>();

  follow(event: Event): void {
    if (event.type === "agent.event") this.#hear(event.agent, event.event);
    else if (event.type === "agent.ended") this.#rounds.delete(event.agent);
    else if (event.type === "turn.ended") this.#rounds.clear();
    else this.#hear(own, event);
  }

  /** Those that are not judged yet, a line each. */
  lines(): string[] {
    return [...this.#rounds.values()].flat().flatMap(({ about, asks }) => (asks ? [] : [about]));
  }

  /** No question of a round is expected any more. */
  get over(): boolean {
    return this.#rounds.size === 0;
  }

  #hear(agent: string, event: Heard): void {
    if (event.type === "round.ended") this.#keep(agent, begun(agent, event.content));
    else if (event.type === "turn.ended") this.#rounds.delete(agent);
    else if (event.type === "call.decided" && (event.decision.verdict === "ask" || event.tool === "ask"))
      for (const each of this.#rounds.get(agent) ?? []) each.asks ||= each.call === event.call;
    else if (event.type === "call.decided" || event.type === "call.ended") this.#drop(agent, event.call);
    else if (event.type === "approval.asked") this.#drop(agent, event.request.call);
    else if (event.type === "question.asked") this.#drop(agent, event.call);
  }

  #drop(agent: string, call: string): void {
    this.#keep(
      agent,
      (this.#rounds.get(agent) ?? []).filter((each) => each.call !== call),
    );
  }

  #keep(agent: string, calls: Ahead[]): void {
    if (calls.length === 0) this.#rounds.delete(agent);
    else this.#rounds.set(agent, calls);
  }
}

function begun(agent: string, content: Extract<Event, { type: "round.ended" }>["content"]): Ahead[] {
  const who = agent === own ? "" : `${agent}: `;
  return content.flatMap((part) =>
    part.type === "call"
      ? [{ call: part.id, about: escapeLine(`${who}${part.name} ${describeInput(part.input)}`.trim()), asks: false }]
      : [],
  );
}
