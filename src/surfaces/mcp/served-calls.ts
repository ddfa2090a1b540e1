// Calls of another agent, one at a time: each is a turn of the session, and what the gate or a server asks goes to the agent.
import {
  acceptedContent,
  type CallToolResult,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalAnswer, ApprovalRequest } from "../../protocol/approval.ts";
import type { Client, Command } from "../../protocol/client.ts";
import type { Event } from "../../protocol/event.ts";
import type { Json } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";
import { canAnswer } from "./client-abilities.ts";
import type { ServerHost } from "./host.ts";
import { sentenceOf } from "./sentence.ts";

/** What a server that is passed on wants of the other agent while its call runs. */
interface Wish {
  id: string;
  method: string;
  params: Json;
}
type Step = { ask: ApprovalRequest } | { wish: Wish } | { end: Ended };
/** `whole`: what such a server answered, as it came. */
type Ended = { reply: CallToolResult } | { whole: Json };

interface OpenCall {
  id: string;
  steps: Step[];
  wake: PromiseWithResolvers<void>;
  told: Told;
  /** Told with the last question to the client that began the call, and nowhere else: only who knows it goes on with the call. */
  word?: string;
  result?: Result;
  /** The question that is open. */
  asked?: { wish: Wish; timer: NodeJS.Timeout } | { approval: ApprovalRequest };
}

type Told = (method: string, params: Json) => void;

export interface CallRequest {
  make(call: string): Command;
  /** What the client can be asked for. */
  can: ClientCapabilities | undefined;
  context: Pick<ServerContext["mcpReq"], "signal" | "requestState" | "inputResponses">;
  /** Told what a server says while the call runs. */
  told?: Told;
}

export const failed = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

type CallHost = Pick<ServerHost, "log" | "words"> & { client: Client };

/** A question of a server that nobody answers ends its call. */
const patienceMs = 10 * 60 * 1000;

export class ServedCalls {
  readonly #host: CallHost;
  readonly #open = new Map<string, OpenCall>();
  /** What a server says that belongs to no call. */
  readonly news = new Set<Told>();
  #count = 0;
  #running: OpenCall | undefined;
  #before: Promise<void> = Promise.resolve();

  constructor(host: CallHost) {
    this.#host = host;
  }

  /** Follows the session until the client is closed. */
  async follow(): Promise<void> {
    for await (const event of this.#host.client.events()) this.#take(event);
  }

  /** True while a question of such a state is open. */
  awaits(state: unknown): boolean {
    return this.#continued(state) !== undefined;
  }

  /** Rejects with a ProtocolError where `requestState` is of no open question. */
  async call({ make, can, context, told = () => undefined }: CallRequest): Promise<Ended | InputRequiredResult> {
    const { signal, requestState, inputResponses } = context;
    const state = requestState();
    const known = this.#continued(state);
    // Made up, or of a question that is answered: an error of the protocol, so that nobody takes it for the tool's answer.
    if (state !== undefined && !known) throw this.closed();
    if (known?.asked) await this.#answer(known, inputResponses);
    const call = known ?? this.#begin(make, told);
    call.told = told;
    const stop = () => void this.#stop(call);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#next(call, can);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  closed(): ProtocolError {
    return new ProtocolError(ProtocolErrorCode.InvalidParams, this.#host.words.closed);
  }

  /**
   * Undefined where the state is not of the question that was shown last: an answer counts for that one alone. The name of a
   * call can be guessed, and the nonce of an approval stands in the session's record, which other clients may read.
   */
  #continued(state: unknown): OpenCall | undefined {
    const [id = "", word] = typeof state === "string" ? state.split(" ") : [];
    const call = this.#open.get(id);
    return call?.word !== undefined && call.word === word ? call : undefined;
  }

  /** The state that a client sends back with its answer. */
  #stateOf(call: OpenCall): string {
    call.word = crypto.randomUUID();
    return `${call.id} ${call.word}`;
  }

  #begin(make: CallRequest["make"], told: Told): OpenCall {
    this.#count += 1;
    const call: OpenCall = { id: `served-${this.#count}`, steps: [], wake: Promise.withResolvers(), told };
    this.#open.set(call.id, call);
    this.#before = this.#before.then(async () => {
      if (!this.#open.has(call.id)) return;
      const ended = Promise.withResolvers<void>();
      this.#running = call;
      this.#ended = ended.resolve;
      try {
        await this.#host.client.send(make(call.id));
        await ended.promise;
      } catch (error) {
        this.#tell(call, { end: { reply: failed(sentenceOf(error)) } });
      }
      this.#running = undefined;
    });
    return call;
  }

  #ended: () => void = () => undefined;

  #take(event: Event): void {
    if (event.type === "mcp.news") {
      for (const news of this.news) news(event.method, event.params);
      return;
    }
    const call = this.#running;
    if (!call) return;
    const inner = event.type === "agent.event" ? event.event : event;
    if (inner.type === "approval.asked") this.#tell(call, { ask: inner.request });
    else if (inner.type === "approval.answered") this.#forget(call, inner.nonce);
    else if (event.type === "mcp.told") call.told(event.method, event.params);
    else if (event.type === "mcp.asked") this.#tell(call, { wish: event });
    else if (event.type === "call.ended" && event.call === call.id) call.result = event.result;
    else if (event.type === "session.failed") this.#finish(call, { reply: failed(event.text) });
    else if (event.type === "turn.ended")
      this.#finish(call, call.result ? this.#resultOf(call.result) : { reply: failed(event.stop.text) });
  }

  #finish(call: OpenCall, end: Ended): void {
    this.#tell(call, { end });
    this.#ended();
  }

  #tell(call: OpenCall, step: Step): void {
    call.steps.push(step);
    call.wake.resolve();
    call.wake = Promise.withResolvers();
  }

  /** It was answered elsewhere, or has expired. */
  #forget(call: OpenCall, nonce: string): void {
    call.steps = call.steps.filter((step) => !("ask" in step) || step.ask.nonce !== nonce);
    if (call.asked && "approval" in call.asked && call.asked.approval.nonce === nonce) delete call.asked;
  }

  async #next(call: OpenCall, can: ClientCapabilities | undefined): Promise<Ended | InputRequiredResult> {
    for (;;) {
      const step = call.steps.shift();
      if (step === undefined) {
        if (!this.#open.has(call.id)) return { reply: failed(this.#host.words.closed) };
        await call.wake.promise;
        continue;
      }
      if ("end" in step) {
        this.#open.delete(call.id);
        return step.end;
      }
      if ("wish" in step) {
        if (canAnswer(step.wish.method, step.wish.params, can)) return this.#wished(call, step.wish);
        await this.#grant(step.wish, undefined);
        continue;
      }
      call.asked = { approval: step.ask };
      if (canAnswer("elicitation/create", {}, can)) return this.#question(call, step.ask);
      await this.#give(call, { kind: "deny", reason: this.#host.words.cannotAsk });
    }
  }

  #question(call: OpenCall, request: ApprovalRequest): InputRequiredResult {
    const { words } = this.#host;
    const offered = ["approve", ...(request.sessionScope === undefined ? [] : ["session"]), "deny"];
    const approval = inputRequired.elicit({
      message: words.card(request).join("\n"),
      requestedSchema: {
        type: "object",
        properties: { answer: { type: "string", title: words.answer, enum: offered } },
        required: ["answer"],
      },
    });
    return inputRequired({ inputRequests: { approval }, requestState: this.#stateOf(call) });
  }

  /** What a server asks for goes on as it is. */
  #wished(call: OpenCall, wish: Wish): InputRequiredResult {
    const timer = setTimeout(() => void this.#grant(wish, undefined), patienceMs);
    timer.unref();
    call.asked = { wish, timer };
    const { method, params } = wish;
    return inputRequired({
      inputRequests: { asked: { method, params } as never },
      requestState: this.#stateOf(call),
    });
  }

  async #answer(call: OpenCall, responses: Record<string, unknown> | undefined): Promise<void> {
    const { asked } = call;
    if (!asked || !("wish" in asked)) return this.#decide(call, acceptedContent(responses, "approval")?.["answer"]);
    delete call.asked;
    clearTimeout(asked.timer);
    await this.#grant(asked.wish, responses?.["asked"]);
  }

  /** Undefined: nobody answers it. */
  async #grant({ id }: Wish, given: unknown): Promise<void> {
    const answer = given === undefined ? "null" : JSON.stringify(given);
    try {
      await this.#host.client.send({ type: "question.answer", call: id, answer });
    } catch (error) {
      // The call may have ended meanwhile.
      this.#host.log(sentenceOf(error));
    }
  }

  /** Only what was offered approves; everything else is a no. */
  #decide(call: OpenCall, said: unknown): Promise<void> {
    const { asked } = call;
    const session = said === "session" && asked && "approval" in asked && asked.approval.sessionScope !== undefined;
    if (session) return this.#give(call, { kind: "session" });
    const { declined } = this.#host.words;
    return this.#give(call, said === "approve" ? { kind: "approve" } : { kind: "deny", reason: declined });
  }

  async #give(call: OpenCall, answer: ApprovalAnswer): Promise<void> {
    const { asked } = call;
    delete call.asked;
    if (!asked || !("approval" in asked)) return;
    try {
      await this.#host.client.send({ type: "approval.answer", nonce: asked.approval.nonce, answer });
    } catch (error) {
      // It may have been answered elsewhere. What cannot be answered here waits for whoever can, until it expires.
      this.#host.log(sentenceOf(error));
    }
  }

  async #stop(call: OpenCall): Promise<void> {
    this.#open.delete(call.id);
    // One that has not begun never ends by itself.
    call.wake.resolve();
    if (this.#running === call) await this.#host.client.send({ type: "turn.stop" }).catch(() => undefined);
  }

  #resultOf(result: Result): Ended {
    if (result.whole !== undefined) return { whole: result.whole };
    const content = result.parts.map((part) =>
      part.type === "text"
        ? { type: "text" as const, text: part.text }
        : { type: "image" as const, data: part.data, mimeType: part.mime },
    );
    if (content.length === 0) content.push({ type: "text", text: this.#host.words.result(result) });
    return { reply: { content, ...(result.status !== "done" && { isError: true }) } };
  }
}
