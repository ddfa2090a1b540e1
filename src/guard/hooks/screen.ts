// What the hooks before a call come to: a limit, perhaps another input; never a permission.
import { canonical } from "../../base/canonical.ts";
import type { HookSettings } from "../../io/config/setting-kinds.ts";
import type { GateCall } from "../../protocol/action.ts";
import type { Json } from "../../protocol/message.ts";
import type { LimitVerdict } from "../contract/ports.ts";
import type { HookAnswer } from "./answer.ts";
import { ownInput, type View, viewsOf } from "./names.ts";

/** A changed input as its tool reads it. */
export type Reparse = (input: Json) => { call: GateCall } | { problem: string };

export interface Screened {
  call: GateCall;
  /** Of the call as it is now. */
  input: Json;
  verdicts: Exclude<LimitVerdict, "pass">[];
  /** Hooks that changed the input, in order. */
  changedBy: string[];
  contexts: { hook: string; text: string }[];
}

interface Screening {
  hooks: readonly HookSettings[];
  workspace: string;
  /** Undefined where nothing can read another input. */
  reparse: Reparse | undefined;
  ask(hook: HookSettings, call: GateCall, view: View): Promise<HookAnswer>;
}

/**
 * In order, until one denies. Each hook has judged the call as it is in the end: whom a later change passed by is asked
 * again, and what changes without end is denied.
 */
export async function screenCall(first: GateCall, input: Json, screening: Screening): Promise<Screened> {
  const state = new State(first, input, screening);
  for (let pass = 0; pass < 2; pass += 1) {
    for (const hook of screening.hooks) {
      if (!(await state.consult(hook, pass === 0))) return state.found;
    }
    if (state.settled) return state.found;
  }
  return state.found;
}

class State {
  readonly found: Screened;
  readonly #screening: Screening;
  /** The input that each hook has judged. */
  readonly #judged = new Map<HookSettings, string>();

  constructor(call: GateCall, input: Json, screening: Screening) {
    this.#screening = screening;
    this.found = { call, input, verdicts: [], changedBy: [], contexts: [] };
  }

  get settled(): boolean {
    const now = canonical(this.found.input);
    return [...this.#judged.values()].every((judged) => judged === now);
  }

  /** False when the call is denied. */
  async consult(hook: HookSettings, mayChange: boolean): Promise<boolean> {
    const { found } = this;
    if (this.#judged.get(hook) === canonical(found.input)) return true;
    for (const view of viewsOf(hook, found.call, found.input, this.#screening.workspace)) {
      const before = canonical(found.input);
      this.#judged.set(hook, before);
      const answer = await this.#screening.ask(hook, found.call, view);
      if (!this.#take(hook, answer)) return false;
      if (answer.input === undefined) continue;
      if (!this.#change(hook, view, answer.input, mayChange)) return false;
      if (canonical(found.input) === before) continue;
      this.#judged.set(hook, canonical(found.input));
      break;
    }
    return true;
  }

  #take({ name }: HookSettings, { verdict, reason, failed, context }: HookAnswer): boolean {
    const { verdicts, contexts } = this.found;
    const rule = `hooks.${name}`;
    if (context !== undefined) contexts.push({ hook: name, text: context });
    if (verdict === "deny") {
      const text = failed
        ? `The hook ${name} denies, because ${reason || "it failed"}.`
        : `The hook ${name} refuses this: ${reason}`;
      verdicts.push({ deny: text, rule });
      return false;
    }
    if (verdict === "ask") verdicts.push({ ask: `The hook ${name} asks for this: ${reason}`, rule });
    return true;
  }

  /** False when the change cannot be taken. */
  #change(hook: HookSettings, view: View, wanted: Json, mayChange: boolean): boolean {
    const { found } = this;
    const deny = (why: string): false => {
      found.verdicts.push({ deny: `The hook ${hook.name} changed this call, ${why}.`, rule: `hooks.${hook.name}` });
      return false;
    };
    const input = ownInput(hook, view, found.call, wanted);
    if (input === undefined) return deny("and a call like this cannot be changed in that form");
    if (canonical(input) === canonical(found.input)) return true;
    if (!mayChange) return deny("and hooks before it had judged another one: they do not come to an end");
    if (!this.#screening.reparse) return deny("and nothing can read the new input");
    const parsed = this.#screening.reparse(input);
    if ("problem" in parsed) return deny(`and what it made of it is not understood (${parsed.problem})`);
    found.call = parsed.call;
    found.input = input;
    found.changedBy.push(hook.name);
    return true;
  }
}
