// Shared limits that arms draw from: a call holds its share before it is made, and says afterwards what it really was.
import { Fault } from "../../base/fault.ts";
import type { Draw, PoolStore } from "../../io/store/pools.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Usage } from "../../protocol/message.ts";
import { type ModelRequest, WireFault } from "../../protocol/request.ts";
import type { Arm } from "../contract/arm.ts";
import { boundOf, costOf } from "../contract/pricing.ts";
import { likelyTokens, requestBytes, tokenBound } from "../contract/size.ts";
import { type Blocked, blockedBy, drawsFrom, type Pool } from "./limits.ts";
import type { Told } from "../contract/told.ts";
import { type PoolView, viewOf, viewOfTold } from "./view.ts";

/** A share of one or more pools, until it is settled. */
export interface Drawn {
  /** What it really was; `held`: as much as was held for it, for all one knows; undefined: nothing was used. */
  settle(real: Usage | "held" | undefined): void;
}

export interface Waiting {
  signal: AbortSignal;
  waiting(delayMs: number, cause: string): void;
}

export interface PoolParts {
  pools: readonly Pool[];
  /** Opened when first needed. */
  store(): PoolStore;
  now(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const usualWaitSecs = 60;
/** What most answers stay below; what is more is known afterwards. */
const likelyOutput = 1_024;
/** What a provider has told holds no call back that would wait longer: it may have been misread, and says so itself. */
const longestToldWaitMs = 60_000;
/** What is told changes with each call; others may know a little later. */
const keepEveryMs = 5_000;

export class Pools {
  readonly #parts: PoolParts;
  readonly #told = new Map<string, Told>();
  readonly #kept = new Map<string, number>();

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /**
   * Undefined, at once, for an arm that draws from none. Rejects with a WireFault of kind `rate` where there is no room
   * in time, and with the signal's reason.
   */
  draw(arm: Arm, request: ModelRequest, waiting: Waiting): Promise<Drawn | undefined> | undefined {
    const drawing = this.#parts.pools.filter((pool) => drawsFrom(pool, arm.name));
    const until = untilOf(this.#told.get(arm.name), request, this.#parts.now());
    return drawing.length === 0 && until === undefined
      ? undefined
      : this.#take(arm, request, { drawing, until, waiting });
  }

  /** What the provider has said of its limits since; `fault`: it has refused a request. */
  heard(arm: Arm, fault?: WireFault): void {
    const news = arm.provider.limits?.();
    const waitMs = fault?.kind === "rate" ? fault.retryAfterMs : undefined;
    if (!news && waitMs === undefined) return;
    const now = this.#parts.now();
    const told: Told = { ...this.#told.get(arm.name), ...news, at: now };
    this.#told.set(arm.name, waitMs === undefined ? told : { ...told, retryAt: now + waitMs });
    if (waitMs === undefined && now - (this.#kept.get(arm.name) ?? 0) < keepEveryMs) return;
    this.#kept.set(arm.name, now);
    this.#parts.store().hear(arm.name, now, this.#told.get(arm.name));
  }

  /** Takes over what other processes were told; costs a look into the store. */
  recall(): void {
    for (const { name, at, data } of this.#parts.store().heard())
      if (at > (this.#told.get(name)?.at ?? 0)) this.#told.set(name, data as Told);
  }

  /** Whether one that the arm of that name draws from counts money. */
  countMoney(arm: string): boolean {
    return this.#parts.pools.some((pool) => countsMoney(pool) && drawsFrom(pool, arm));
  }

  /** How full what the arm of that name draws from is. */
  views(arm: string): PoolView[] {
    const { pools, store, now } = this.#parts;
    const told = this.#told.get(arm);
    const configured = pools.filter((pool) => drawsFrom(pool, arm));
    return [
      ...configured.map((pool) => viewOf(pool, store().use(pool.name, now()), now())),
      ...(told ? [viewOfTold(arm, told, now())] : []),
    ];
  }

  async #take(
    arm: Arm,
    request: ModelRequest,
    { drawing, until, waiting }: { drawing: readonly Pool[]; until: number | undefined; waiting: Waiting },
  ): Promise<Drawn | undefined> {
    const { store, now, pause } = this.#parts;
    if (until !== undefined) {
      const ms = until - now();
      waiting.waiting(ms, `${arm.name} has said that its limit is reached`);
      await pause(ms, waiting.signal);
    }
    if (drawing.length === 0) return undefined;
    const amount = amountOf(arm, request, drawing);
    const patience = now() + Math.min(...drawing.map(({ limits }) => limits.wait_secs ?? usualWaitSecs)) * 1000;
    for (let told = 0; ; ) {
      const answer = store().draw(
        drawing.map(({ name }) => name),
        amount,
        (name, use) => blockedIn(drawing, name, (pool) => blockedBy(pool, use, amount, now())),
        now(),
      );
      if ("drawn" in answer) return this.#drawn(arm, answer.drawn, amount);
      const { blocked } = answer;
      if (blocked.until === undefined || blocked.until > patience) throw empty(blocked, arm, now());
      const ms = Math.max(1, blocked.until - now());
      // Looking again every moment is nothing to be told each time.
      if (blocked.until - told > 5_000) waiting.waiting(ms, `pool ${blocked.pool}: ${blocked.limit}`);
      told = blocked.until;
      await pause(ms, waiting.signal);
    }
  }

  #drawn(arm: Arm, drawn: readonly number[], amount: Draw): Drawn {
    const { store } = this.#parts;
    let settled = false;
    return {
      settle(real) {
        if (settled) return;
        settled = true;
        store().settle(drawn, real === undefined || real === "held" ? real && amount : used(arm, real, amount));
      },
    };
  }
}

function blockedIn(
  pools: readonly Pool[],
  name: string,
  look: (pool: Pool) => Blocked | undefined,
): Blocked | undefined {
  const pool = pools.find((each) => each.name === name);
  return pool && look(pool);
}

/** A server that does not count is taken at what was held. */
function used(arm: Arm, usage: Usage, held: Draw): Draw {
  const tokens = usage.input + usage.output;
  return { requests: 1, tokens: tokens || held.tokens, micro: tokens ? (costOf(usage, arm.price) ?? 0) : held.micro };
}

const countsMoney = ({ limits }: Pool): boolean =>
  limits.usd_per_day !== undefined || limits.usd_per_month !== undefined;

/** Faults (exit 2) when a pool counts money and the arm's price is unknown. */
function amountOf(arm: Arm, request: ModelRequest, drawing: readonly Pool[]): Draw {
  const bytes = requestBytes(request);
  const paid = drawing.find(countsMoney);
  if (paid && !arm.price) {
    throw new Fault(
      "pool.unknown-price",
      Exit.usage,
      `The price of ${arm.name} is unknown, so the pool ${paid.name} cannot count its money.`,
      `Set prices."${arm.name}".input and .output (USD per million tokens).`,
    );
  }
  const tokens = likelyTokens(bytes) + Math.min(request.maxOutputTokens, likelyOutput);
  return { requests: 1, tokens, micro: arm.price ? boundOf(tokenBound(bytes), request.maxOutputTokens, arm.price) : 0 };
}

/** When a provider that has told of its limits would take the request; undefined: now. */
function untilOf(told: Told | undefined, request: ModelRequest, now: number): number | undefined {
  if (!told) return undefined;
  const { requests, tokens, retryAt = 0 } = told;
  const moments = [retryAt];
  if (requests && requests.remaining < 1) moments.push(requests.resetAt);
  if (tokens && tokens.remaining < Math.min(tokens.limit, likelyTokens(requestBytes(request))))
    moments.push(tokens.resetAt);
  const until = Math.max(...moments);
  return until > now && until - now <= longestToldWaitMs ? until : undefined;
}

function empty({ pool, limit, until }: Blocked, arm: Arm, now: number): WireFault {
  const why =
    until === undefined
      ? `one request of this conversation is more than it gives (pools.${pool})`
      : `it has room again ${momentText(until, now)} (pools.${pool}.wait_secs is how long fettle waits)`;
  return new WireFault("rate", `The pool ${pool} of ${arm.name} is empty (${limit}): ${why}.`, {
    ...(until !== undefined && { retryAfterMs: until - now }),
    tries: 1,
  });
}

function momentText(until: number, now: number): string {
  const minutes = Math.ceil((until - now) / 60_000);
  const wait = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return `at ${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC, in ${wait}`;
}
