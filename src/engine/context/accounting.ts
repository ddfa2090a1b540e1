// What the tokens of the next request are for. Only for people who ask: it looks at every message.
import type { Arm } from "../../model/contract/arm.ts";
import { bytesOf } from "../../model/contract/size.ts";
import type { Message, Part } from "../../protocol/message.ts";
import type { ContextBlock, ContextView } from "../../protocol/context-view.ts";
import type { SessionState } from "../session/state.ts";
import type { ContextKeeper } from "./keeper.ts";
import type { Prefix } from "./prefix.ts";
import { isAttached } from "./words.ts";

type Kind = ContextBlock["kind"];

export function contextView(
  keeper: ContextKeeper,
  { state, prefix, arm }: { state: SessionState; prefix: Prefix; arm: Pick<Arm, "name" | "contextWindow"> },
): ContextView {
  const shown = keeper.shown(arm);
  const limits = keeper.limitsFor(arm);
  const found = new Sums();
  for (const { name, bytes } of prefix.blocks) found.add(name === "" ? "system" : "instructions", bytes, name);
  for (const tool of prefix.tools) found.add("tools", bytesOf(tool));
  if (prefix.sources) found.add("sources", bytesOf(prefix.sources));
  for (const message of shown) addMessage(found, message);
  const tokens = keeper.fill(prefix, arm);
  return {
    model: arm.name,
    window: limits.window,
    tokens,
    reserve: limits.reserve,
    compactsAt: limits.window - limits.reserve,
    blocks: found.blocks(tokens),
    masked: keeper.masked,
    compactions: state.conversation.opening?.count ?? 0,
    cached: state.usage.input === 0 || state.usage.cacheRead === 0 ? null : state.usage.cacheRead / state.usage.input,
  };
}

/** In the order of first appearance in a request. */
class Sums {
  readonly #sums = new Map<string, { kind: Kind; name: string; bytes: number; count: number }>();

  add(kind: Kind, bytes: number, name = ""): void {
    const key = `${kind} ${name}`;
    const sum = this.#sums.get(key) ?? { kind, name, bytes: 0, count: 0 };
    this.#sums.set(key, { ...sum, bytes: sum.bytes + bytes, count: sum.count + 1 });
  }

  /** Shares of `tokens`, so that they come to what the whole request is reckoned with. */
  blocks(tokens: number): ContextBlock[] {
    const all = [...this.#sums.values()];
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0) || 1;
    return all.map(({ kind, name, bytes: own, count }) => ({
      ...{ kind, tokens: Math.round((own / bytes) * tokens), count },
      ...(name !== "" && { name }),
    }));
  }
}

function addMessage(found: Sums, message: Message): void {
  if (message.role === "assistant") found.add("answers", bytesOf(message));
  else if (message.role === "tool") for (const { parts } of message.content) addParts(found, parts, "results");
  else addParts(found, message.content, kindOf(message));
}

function kindOf({ by }: Extract<Message, { role: "user" }>): Kind {
  if (by === "compaction") return "summary";
  return by === undefined ? "person" : "notes";
}

function addParts(found: Sums, parts: readonly Part[], kind: Kind): void {
  for (const part of parts) {
    const own = part.type === "image" ? "images" : kind === "person" && isAttached(part.text) ? "attached" : kind;
    found.add(own, bytesOf(part));
  }
}
