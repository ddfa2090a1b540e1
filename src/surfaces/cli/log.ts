// Events as plain lines in the order they happen: what a headless run tells on standard error.
import type { Event } from "../../protocol/event.ts";
import { Calls, callLine, callLines } from "./render/call.ts";
import { Beginning, renderNotice, turnLine } from "./render/notice.ts";
import type { Look } from "./render/style.ts";

export class Log {
  readonly #calls = new Calls();
  readonly #beginning = new Beginning();
  readonly #look: () => Look;

  constructor(look: () => Look) {
    this.#look = look;
  }

  /** The lines that the event is worth. */
  follow(event: Event): string[] {
    const look = this.#look();
    const call = this.#calls.follow(event);
    if (event.type === "call.ended" && call) return callLines(call, look);
    if (event.type === "effect.begun" && call && slow.has(call.action?.kind ?? "")) return [callLine(call, look)];
    if (event.type === "turn.ended") return turnLine(event, look);
    return this.#beginning.hides(event) ? [] : renderNotice(event, look);
  }
}

/** Kinds that may take long: they are told when they begin, too. */
const slow = new Set(["shell", "program", "fetch"]);
