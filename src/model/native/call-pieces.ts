// Tool calls that come in pieces. Servers number them, name them by id, both, or neither.
import { randomUUID } from "node:crypto";
import { jsonOf } from "../../base/json-text.ts";
import type { Json } from "../../protocol/message.ts";

export interface ChatCallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: Json };
  /** Gemini's compatible endpoint keeps its thought signature here. */
  extra_content?: Json;
}

interface GatheredCall {
  id: string;
  name: string;
  text: string;
  index: number | undefined;
  extra?: Json;
}

export class CallPieces {
  readonly #calls: GatheredCall[] = [];

  get size(): number {
    return this.#calls.length;
  }

  /** True when no call's arguments are torn. */
  get complete(): boolean {
    return this.#calls.every(({ text }) => text.trim() === "" || isJson(text));
  }

  add(piece: ChatCallPiece): void {
    const call = this.#callFor(piece) ?? this.#start(piece);
    const { name, arguments: more } = piece.function ?? {};
    if (name && !call.name) call.name = name;
    if (typeof more === "string") call.text += more;
    else if (more !== undefined && more !== null) call.text = JSON.stringify(more);
    if (piece.extra_content !== undefined && piece.extra_content !== null) call.extra = piece.extra_content;
  }

  /** In the order in which they began; a call that got no id has a new one. */
  all(): readonly GatheredCall[] {
    for (const call of this.#calls) call.id ||= `call_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
    return this.#calls;
  }

  #start(piece: ChatCallPiece): GatheredCall {
    const call: GatheredCall = { id: piece.id || "", name: "", text: "", index: piece.index ?? undefined };
    this.#calls.push(call);
    return call;
  }

  #callFor(piece: ChatCallPiece): GatheredCall | undefined {
    const name = piece.function?.name;
    if (piece.index !== undefined && piece.index !== null) {
      const call = this.#calls.findLast((each) => each.index === piece.index);
      // Some servers give every one of several calls the number 0.
      const another = call && name && piece.id && piece.id !== call.id && isJson(call.text);
      return another ? undefined : call;
    }
    if (piece.id) return this.#calls.findLast((each) => each.id === piece.id);
    return name ? undefined : this.#calls.at(-1);
  }
}

const isJson = (text: string): boolean => jsonOf(text) !== undefined;
