// What a run costs: by its program's own account, else by the tokens that it tells, else by what its stream shows.
import type { CliSession } from "../../../engine/session/state.ts";
import type { AgentEvent } from "../../../model/cli-agents/events.ts";
import { RunEstimate } from "../../../model/cli-agents/estimate.ts";
import type { Transcript } from "../../../model/cli-agents/transcript.ts";
import { costOf, type Price, priceOf } from "../../../model/contract/pricing.ts";
import type { KnownProgram } from "../../../model/registry/command-line.ts";
import type { Settings } from "../../../io/config/settings.ts";
import type { Usage } from "../../../protocol/message.ts";
import { addUsage } from "../../../protocol/usage.ts";
import { priceFor, reportsCost } from "./price.ts";

interface RunAbout {
  known: KnownProgram;
  model: string | undefined;
  settings: Pick<Settings, "prices">;
  /** The conversation of the program's own that this run takes up again. */
  before: CliSession | undefined;
  prompt: string;
}

export interface RunCost {
  usage: Usage;
  /** Micro-dollars; null: unknown. */
  cost: number | null;
  /** The program has not said what it took. */
  estimated: boolean;
}

export class RunBill {
  readonly #about: RunAbout;
  readonly #transcript: Transcript;
  readonly #estimate: RunEstimate | undefined;
  readonly price: Price | undefined;
  #begun = false;

  constructor(about: RunAbout, transcript: Transcript) {
    const { known, model, settings, before, prompt } = about;
    this.#about = about;
    this.#transcript = transcript;
    this.price = priceFor(known, model, settings);
    if (this.price && !reportsCost(known.program)) {
      const earlier = { before: before?.told.context ?? 0, length: prompt.length };
      this.#estimate = new RunEstimate({ program: known, price: this.price, ...earlier });
    }
  }

  hear(event: AgentEvent): void {
    this.#begun ||= event.type === "said" || event.type === "acted";
    this.#estimate?.hear(event);
  }

  /** Micro-dollars; undefined while nothing tells. */
  soFar(): number | undefined {
    return this.#costSince() ?? this.#estimate?.micro ?? this.#knownCost() ?? undefined;
  }

  /** `cut`: it was ended in the middle, when its model may have been at work. */
  final(cut: boolean): RunCost {
    const usage = this.#usageSince();
    const said = this.#costSince();
    if (said !== undefined) return { usage, cost: said, estimated: false };
    const estimate = this.#estimate;
    if (!tells(this.#transcript.usage()) && estimate && (cut || this.#begun))
      return { usage: estimate.usage(), cost: estimate.micro, estimated: true };
    return { usage, cost: this.#costOf(usage) ?? this.#knownCost(), estimated: false };
  }

  /** For the next run of the same conversation. */
  told({ usage, estimated }: RunCost): CliSession["told"] {
    const { before } = this.#about;
    const own = this.#transcript.usage();
    const cost = this.#transcript.cost();
    // A count of the whole conversation goes on behind what this run is taken for.
    const whole = estimated && before ? addUsage(before.told.usage, usage) : estimated ? usage : own;
    const context = this.#estimate?.context;
    return { usage: whole, ...(cost !== undefined && { cost }), ...(context !== undefined && { context }) };
  }

  /** Of many calls: what a long prompt costs more is counted only when there was one. */
  #costOf(usage: Usage): number | null {
    if (!this.price) return null;
    const { long, ...plain } = this.price;
    const longest = this.#estimate?.context ?? usage.input;
    return costOf(usage, long && longest > long.above ? this.price : plain);
  }

  /** By the list's prices of the models that it says it asks; null where one has none. */
  #knownCost(): number | null {
    const { known, settings } = this.#about;
    let sum = 0;
    for (const { model, usage } of this.#transcript.spending()) {
      const cost = costOf(usage, priceOf(`${known.vendor}/${model}`, settings));
      if (cost === null) return null;
      sum += cost;
    }
    return tells(this.#transcript.usage()) && sum === 0 ? null : sum;
  }

  /** The same conversation as before goes on. */
  #earlier(): CliSession | undefined {
    const { before } = this.#about;
    return before?.id === this.#transcript.session ? before : undefined;
  }

  /** Claude Code says what the whole conversation has cost. */
  #costSince(): number | undefined {
    const total = this.#transcript.cost();
    const earlier = this.#earlier();
    return total === undefined || !earlier ? total : Math.max(0, total - (earlier.told.cost ?? 0));
  }

  /** Codex counts the tokens of the whole conversation. */
  #usageSince(): Usage {
    const usage = this.#transcript.usage();
    const earlier = this.#earlier()?.told.usage;
    if (this.#about.known.program !== "codex" || !earlier || usage.input < earlier.input) return usage;
    const less = (name: keyof Usage) => Math.max(0, usage[name] - earlier[name]);
    return {
      input: less("input"),
      output: less("output"),
      cacheRead: less("cacheRead"),
      cacheWrite: less("cacheWrite"),
      reasoning: less("reasoning"),
    };
  }
}

const tells = ({ input, output }: Usage): boolean => input + output > 0;
