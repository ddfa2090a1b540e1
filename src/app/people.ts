// The person at the surface: answers approvals and questions. One atomic claim per request; the first valid answer wins.
import { Fault } from "../base/fault.ts";
import type { Approver } from "../guard/ports.ts";
import type { Store } from "../io/store/store.ts";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "../protocol/approval.ts";
import { Exit } from "../protocol/exit.ts";

export interface PeopleOptions {
  store: Store;
  headless: boolean;
  /** Name of the local person, for receipts: `local:ada`. */
  person: string;
}

export class People implements Approver {
  readonly #options: PeopleOptions;
  readonly #approvals = new Map<string, (outcome: ApprovalOutcome) => void>();
  readonly #questions = new Map<string, (answer: string | undefined) => void>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { store, headless, person } = this.#options;
    store.putApproval(request);
    // What the person does themselves is approved by doing it.
    const outcome = await (request.origin === "person"
      ? { kind: "approve" as const, by: person }
      : headless
        ? { kind: "unanswered" as const, why: "headless" as const }
        : this.#wait(request, signal));
    store.claimApproval(request.nonce, outcome);
    return store.approval(request.nonce)?.outcome ?? outcome;
  }

  /** Throws a Fault when the request was answered already or has expired. */
  answer(nonce: string, answer: ApprovalAnswer): void {
    const deliver = this.#approvals.get(nonce);
    const outcome: ApprovalOutcome = { ...answer, by: this.#options.person };
    if (!deliver || !this.#options.store.claimApproval(nonce, outcome)) {
      throw new Fault("approval.expired", Exit.usage, "This request has expired or was answered already.");
    }
    deliver(outcome);
  }

  /** Undefined when nobody can or does answer. */
  question(call: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#options.headless || signal.aborted) return Promise.resolve(undefined);
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
    if (!deliver) throw new Fault("question.expired", Exit.usage, "This question is no longer open.");
    deliver(answer);
  }

  /** Denies what is pending; part of shutting down. */
  leave(): void {
    for (const deliver of [...this.#approvals.values()]) deliver({ kind: "unanswered", why: "stopped" });
    for (const deliver of [...this.#questions.values()]) deliver(undefined);
  }

  #wait(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: ApprovalOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stopped);
        this.#approvals.delete(request.nonce);
        resolve(outcome);
      };
      const stopped = (): void => settle({ kind: "unanswered", why: "stopped" });
      const timer = setTimeout(() => settle({ kind: "expired" }), Math.max(0, request.expiresAt - Date.now()));
      signal.addEventListener("abort", stopped, { once: true });
      this.#approvals.set(request.nonce, settle);
      if (signal.aborted) stopped();
    });
  }
}
