// The people who can answer: at this surface, or from another process through the store. The first valid answer wins.
import { Fault } from "../../base/fault.ts";
import { tally, type Voters } from "../../guard/answers.ts";
import type { Approver } from "../../guard/contract/ports.ts";
import type { ApprovalKind } from "../../protocol/approval-kind.ts";
import type { KeyPair } from "../../io/journal/key.ts";
import type { Store } from "../../io/store/store.ts";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "../../protocol/approval.ts";
import { isApproved } from "../../protocol/approved.ts";
import type { Fact } from "../../protocol/event.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Identity } from "../../protocol/identity.ts";
import { answered, castAnswer, expired } from "./votes.ts";
import { Waiting } from "./waiting.ts";

export interface PeopleOptions {
  store: Store;
  /** The local person, for whom this process answers. */
  identity: Identity;
  identityOf(name: string): Identity;
  voters: Voters;
  signer(name: string): KeyPair;
  /** `nobody`: no ask is answered. `elsewhere`: other processes answer, the clock runs. */
  answers: "here" | "elsewhere" | "nobody";
  /** A surface shows what is asked. */
  connected(): boolean;
  /** A person sits at the terminal: no clock runs while it is open. */
  attended?: boolean;
  tell(fact: Fact): void;
}

export interface Prepared {
  as?: string;
  /** Of the plan or the result that was shown. */
  digest: string;
}

export class People implements Approver {
  readonly #options: PeopleOptions;
  readonly #approvals = new Map<string, Waiting>();
  #prepared: (Prepared & { kind: ApprovalKind; answer: ApprovalAnswer }) | undefined;
  #said: string | undefined;
  readonly #questions = new Map<string, (answer: string | undefined) => void>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** The answer to the next request of that kind, given by whoever started this process for it. */
  prepare(kind: ApprovalKind, answer: ApprovalAnswer, more: Prepared): void {
    this.#prepared = { kind, answer, ...more };
  }

  /** The answer to the next question, given by whoever started this process for it. */
  prepareAnswer(text: string): void {
    this.#said = text;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { store, answers, identity } = this.#options;
    store.putApproval(request);
    // What the person does themselves is approved by doing it.
    const given = this.#given(request);
    const outcome =
      given ??
      (await (request.origin === "person" && request.confirm !== true
        ? { kind: "approve" as const, by: identity.name }
        : answers === "nobody"
          ? { kind: "unanswered" as const, why: "headless" as const }
          : this.#wait(request, signal)));
    // Whoever wrote another outcome, it was not the process that waits: nothing is done on it.
    return store.claimApproval(request.nonce, outcome) ? outcome : withheld(outcome);
  }

  /** Throws a Fault when the answer cannot count: too late, or not this identity's to give. */
  answer(nonce: string, answer: ApprovalAnswer, as = this.#options.identity.name): void {
    const { store, voters, identityOf, signer } = this.#options;
    const waiting = this.#approvals.get(nonce);
    if (!waiting) {
      const known = store.approval(nonce)?.outcome;
      throw known ? answered(known) : expired("This request has expired.");
    }
    const ballot = { store, voters, request: waiting.request, identity: identityOf(as), signer: () => signer(as) };
    castAnswer(ballot, nonce, answer);
    waiting.look();
  }

  /** Undefined: more answers than this one are needed, or none was prepared. */
  #given(request: ApprovalRequest): ApprovalOutcome | undefined {
    const prepared = this.#prepared;
    if (!prepared || prepared.kind !== request.kind) return undefined;
    this.#prepared = undefined;
    // Answered was what had been shown; what it has become since is asked.
    if (request.action.kind === "task" && request.action.digest !== prepared.digest) return undefined;
    const { store, voters, identityOf, signer, identity } = this.#options;
    const { answer, as = identity.name } = prepared;
    const ballot = { store, voters, request, identity: identityOf(as), signer: () => signer(as) };
    return castAnswer(ballot, request.nonce, answer).outcome;
  }

  /** True while this process waits for the answer to that request. */
  awaits(nonce: string): boolean {
    return this.#approvals.has(nonce);
  }

  /** Undefined when nobody can or does answer. */
  question(call: string, signal: AbortSignal): Promise<string | undefined> {
    const said = this.#said;
    this.#said = undefined;
    if (said !== undefined || this.#options.answers !== "here" || signal.aborted) return Promise.resolve(said);
    return new Promise((resolve) => {
      const settle = (answer: string | undefined): void => {
        this.#questions.delete(call);
        signal.removeEventListener("abort", stopped);
        resolve(answer);
      };
      const stopped = (): void => settle(undefined);
      signal.addEventListener("abort", stopped, { once: true });
      this.#questions.set(call, settle);
    });
  }

  answerQuestion(call: string, answer: string): void {
    const deliver = this.#questions.get(call);
    if (!deliver)
      throw new Fault("question.expired", Exit.usage, "This question is no longer open.", "Say it in a prompt.");
    deliver(answer);
  }

  /** Denies what is pending; part of shutting down. */
  leave(): void {
    for (const waiting of [...this.#approvals.values()]) waiting.stop();
    for (const deliver of [...this.#questions.values()]) deliver(undefined);
  }

  async #wait(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { store, voters, tell, answers, connected, attended } = this.#options;
    const waiting = new Waiting(request, {
      answers: () => store.answersTo(request.nonce),
      tally: (given) => tally(request, given, voters),
      running: () => answers === "elsewhere" || (connected() && attended !== true),
      setClock: (expiresAt, paused) => store.setApprovalClock(request.nonce, expiresAt, paused),
      tell,
    });
    this.#approvals.set(request.nonce, waiting);
    try {
      return await waiting.outcome(signal);
    } finally {
      this.#approvals.delete(request.nonce);
    }
  }
}

const withheld = (outcome: ApprovalOutcome): ApprovalOutcome =>
  isApproved(outcome) ? { kind: "unanswered", why: "stopped" } : outcome;
