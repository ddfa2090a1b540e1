// Where calls meet the hooks: before they are judged, and after they have ended. One for a session and all its gates.
import { namePattern } from "../../base/name-pattern.ts";
import type { HookEvent, HookSettings } from "../../io/config/setting-kinds.ts";
import type { GateCall } from "../../protocol/action.ts";
import type { Assessment, Reason } from "../../protocol/effect.ts";
import type { Fact } from "../../protocol/event.ts";
import type { Json, Part } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";
import type { Taint } from "../firewall/finalize.ts";
import { suspicions, wrapAsData } from "../firewall/data.ts";
import type { Firewall } from "../firewall/firewall.ts";
import type { Limit } from "../limits/limit.ts";
import { abstains, answerOf, type HookAnswer } from "./answer.ts";
import { inputOf, type Moment } from "./input.ts";
import { viewsOf } from "./names.ts";
import type { HookRun } from "./run.ts";
import { type Reparse, type Screened, screenCall } from "./screen.ts";
import { textIn } from "../../base/text-in.ts";

interface StationParts {
  hooks: readonly HookSettings[];
  workspace: string;
  cwd: string;
  session: string;
  firewall: Firewall;
  /** Runs it once, through the gate. Never rejects. */
  run(hook: HookSettings, input: Json, of: { call?: string; signal: AbortSignal }): Promise<HookRun>;
  /** Tells the ledger and whoever counts what came of a run. */
  ran(hook: HookSettings, run: HookRun, answer: HookAnswer, call?: string): void;
  tell(fact: Fact): void;
}

/** What is known of a call that hooks have not seen. */
interface Unscreened {
  /** As the tool got it; without, the action itself is shown. */
  input: Json | undefined;
  reparse: Reparse | undefined;
  judge(call: GateCall): Assessment;
  signal: AbortSignal;
}

export class HookStation {
  readonly #parts: StationParts;
  readonly #screened = new WeakMap<GateCall, Screened>();

  constructor(parts: StationParts) {
    this.#parts = parts;
  }

  /** Whether the hooks have seen exactly this call. */
  knows(call: GateCall): boolean {
    return this.#screened.has(call);
  }

  /** What the hooks said of a call, as limits of its judgement. */
  limits(call: GateCall): Limit[] {
    const verdicts = this.#screened.get(call)?.verdicts ?? [];
    return verdicts.map((verdict) => ({ name: "hooks", judge: () => verdict }));
  }

  async screen(call: GateCall, { input, reparse, judge, signal }: Unscreened): Promise<Screened> {
    const shown = input ?? (call.action as unknown as Json);
    const screened = await screenCall(call, shown, {
      hooks: this.#of("before_tool"),
      workspace: this.#parts.workspace,
      reparse,
      ask: (hook, current, view) =>
        this.#ask(hook, { call: current, view, assessment: judge(current) }, { call: current.id, signal }),
    });
    this.#screened.set(screened.call, screened);
    if (screened.changedBy.length > 0) this.#tellChange(call, shown, screened);
    return screened;
  }

  /** The result with what hooks have to say of the call; what happened stays as it is. */
  async finish(
    call: GateCall,
    { result, assessment, signal }: { result: Result; assessment: Assessment; signal: AbortSignal },
  ): Promise<{ result: Result; taints: Taint[] }> {
    const screened = this.#screened.get(call);
    const changed: Part[] = screened && screened.changedBy.length > 0 ? [changeNote(screened)] : [];
    const said = [...(screened?.contexts ?? [])];
    for (const hook of this.#of("after_tool")) {
      if (hook.dialect === "claude" && result.status !== "done") continue;
      for (const view of viewsOf(
        hook,
        call,
        screened?.input ?? (call.action as unknown as Json),
        this.#parts.workspace,
      )) {
        const answer = await this.#ask(hook, { call, view, assessment, result }, { call: call.id, signal });
        if (answer.context !== undefined) said.push({ hook: hook.name, text: answer.context });
      }
    }
    const { parts, taints } = await this.#wrapped(said);
    if (changed.length + parts.length === 0) return { result, taints: [] };
    return { result: { ...result, parts: [...changed, ...result.parts, ...parts] }, taints };
  }

  /** Hooks of a moment that is about no call: their answers, and their words for the model as data. */
  async moment(
    event: HookEvent,
    more: { [key: string]: Json },
    signal: AbortSignal,
  ): Promise<{ answers: { hook: HookSettings; answer: HookAnswer }[]; text: string; taints: Taint[] }> {
    const answers: { hook: HookSettings; answer: HookAnswer }[] = [];
    for (const hook of this.#of(event)) {
      if (hook.matcher !== undefined && !namePattern(hook.matcher)?.test(String(more["trigger"]))) continue;
      answers.push({ hook, answer: await this.#ask(hook, { more }, { signal }) });
    }
    const said = answers.flatMap(({ hook, answer }) =>
      answer.context === undefined ? [] : [{ hook: hook.name, text: answer.context }],
    );
    return { answers, ...(await this.asData(said)) };
  }

  async asData(said: readonly { hook: string; text: string }[]): Promise<{ text: string; taints: Taint[] }> {
    const { parts, taints } = await this.#wrapped(said);
    return { taints, text: textIn(parts, "\n") };
  }

  /** For an approval: what hooks did to the call, and why they ask. */
  reasons(call: GateCall): Reason[] {
    const { verdicts = [], changedBy = [] } = this.#screened.get(call) ?? {};
    const asks = verdicts.flatMap((verdict) => ("ask" in verdict ? [verdict.ask] : []));
    return [
      ...changedBy.map((hook) => reason("hook.changed", `the hook ${hook} changed it before it was judged`)),
      ...asks.map((text) => reason("hook.asks", text)),
    ];
  }

  #of(event: HookEvent): HookSettings[] {
    return this.#parts.hooks.filter((hook) => hook.event === event);
  }

  async #ask(hook: HookSettings, moment: Moment, of: { call?: string; signal: AbortSignal }): Promise<HookAnswer> {
    const { session, cwd, workspace } = this.#parts;
    const run = await this.#parts.run(hook, inputOf(hook, moment, { session, cwd, workspace }), of);
    const stopped = of.signal.aborted && !hook.deciding;
    const answer = stopped ? abstains : answerOf(hook, run);
    this.#parts.ran(hook, run, answer, of.call);
    if (answer.message !== undefined)
      this.#notice("hook.says", `The hook ${hook.name} says: ${answer.message}`, "info");
    if (answer.failed && answer.verdict === "abstain")
      this.#notice("hook.failed", `The hook ${hook.name} (${hook.event}) failed: ${answer.reason}.`, "warning");
    return answer;
  }

  /** Redacted, and wrapped like all text from outside. */
  async #wrapped(said: readonly { hook: string; text: string }[]): Promise<{ parts: Part[]; taints: Taint[] }> {
    const parts: Part[] = [];
    const taints: Taint[] = [];
    for (const { hook, text } of said) {
      const source = `hook:${hook}`;
      const plain = this.#parts.firewall.redact(text).text;
      const found = await suspicions(plain);
      if (found.length > 0) taints.push({ source, why: found.join(", ") });
      parts.push({ type: "text", text: wrapAsData(plain, source, found) });
    }
    return { parts, taints };
  }

  #tellChange(call: GateCall, before: Json, { changedBy, input }: Screened): void {
    const text = `The hook ${changedBy.join(", ")} changed this call of ${call.tool} before it was judged: ${shown(before)} became ${shown(input)}.`;
    this.#notice("hook.changed", this.#parts.firewall.redact(text).text, "warning");
  }

  #notice(code: string, text: string, level: "info" | "warning"): void {
    this.#parts.tell({ type: "notice.given", code, text, level });
  }
}

const longest = 2_000;

function shown(input: Json): string {
  const text = JSON.stringify(input).toWellFormed();
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`;
}

const reason = (code: string, text: string): Reason => ({ code, risk: "L0", text });

const changeNote = ({ changedBy, input }: Screened): Part => ({
  type: "text",
  text: `[A hook (${changedBy.join(", ")}) changed this call before it ran; it was done as ${shown(input)}]`,
});
