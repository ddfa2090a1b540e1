// Calls of another agent, one at a time: each is a turn of the session, and what the gate asks goes to the agent's person.
import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalAnswer, ApprovalRequest } from "../../protocol/approval.ts";
import type { Event } from "../../protocol/event.ts";
import type { Client } from "../../protocol/client.ts";
import type { Json } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";
import type { ServerHost } from "./host.ts";
import { sentenceOf } from "./sentence.ts";

type Step = { ask: ApprovalRequest } | { end: CallToolResult };

interface OpenCall {
  id: string;
  steps: Step[];
  wake: PromiseWithResolvers<void>;
  result?: Result;
  asked?: ApprovalRequest;
}

type Answered = CallToolResult | InputRequiredResult;

export interface CallRequest {
  name: string;
  input: Json;
  /** The person behind the client can be shown a form. */
  asks: boolean;
  context: Pick<ServerContext["mcpReq"], "signal" | "requestState" | "inputResponses">;
}

export const failed = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

type CallHost = Pick<ServerHost, "log" | "words"> & { client: Client };

export class ServedCalls {
  readonly #host: CallHost;
  readonly #open = new Map<string, OpenCall>();
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

  async call({ name, input, asks, context }: CallRequest): Promise<Answered> {
    const { signal, requestState, inputResponses } = context;
    const state = requestState();
    const known = this.#continued(state);
    // Made up, or of a question that is answered: an error of the protocol, so that nobody takes it for the tool's answer.
    if (state !== undefined && !known)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, this.#host.words.closed);
    if (known?.asked) await this.#answer(known, acceptedContent(inputResponses, "approval")?.["answer"]);
    const call = known ?? this.#begin(name, input);
    const stop = () => void this.#stop(call);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#next(call, asks);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Undefined as well while another question of the call is open than the one that was shown: an answer counts for that one alone. */
  #continued(state: unknown): OpenCall | undefined {
    const [id = "", nonce] = typeof state === "string" ? state.split(" ") : [];
    const call = this.#open.get(id);
    return call?.asked && call.asked.nonce !== nonce ? undefined : call;
  }

  #begin(tool: string, input: Json): OpenCall {
    this.#count += 1;
    const call: OpenCall = { id: `served-${this.#count}`, steps: [], wake: Promise.withResolvers() };
    this.#open.set(call.id, call);
    this.#before = this.#before.then(async () => {
      if (!this.#open.has(call.id)) return;
      const ended = Promise.withResolvers<void>();
      this.#running = call;
      this.#ended = ended.resolve;
      try {
        await this.#host.client.send({ type: "tool.call", call: call.id, tool, input });
        await ended.promise;
      } catch (error) {
        this.#tell(call, { end: failed(sentenceOf(error)) });
      }
      this.#running = undefined;
    });
    return call;
  }

  #ended: () => void = () => undefined;

  #take(event: Event): void {
    const call = this.#running;
    if (!call) return;
    const inner = event.type === "agent.event" ? event.event : event;
    if (inner.type === "approval.asked") this.#tell(call, { ask: inner.request });
    else if (inner.type === "approval.answered") this.#forget(call, inner.nonce);
    else if (event.type === "call.ended" && event.call === call.id) call.result = event.result;
    else if (event.type === "session.failed") this.#finish(call, failed(event.text));
    else if (event.type === "turn.ended")
      this.#finish(call, call.result ? this.#resultOf(call.result) : failed(event.stop.text));
  }

  #finish(call: OpenCall, end: CallToolResult): void {
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
    call.steps = call.steps.filter((step) => "end" in step || step.ask.nonce !== nonce);
    if (call.asked?.nonce === nonce) delete call.asked;
  }

  async #next(call: OpenCall, asks: boolean): Promise<Answered> {
    for (;;) {
      const step = call.steps.shift();
      if (step === undefined) {
        if (!this.#open.has(call.id)) return failed(this.#host.words.closed);
        await call.wake.promise;
        continue;
      }
      if ("end" in step) {
        this.#open.delete(call.id);
        return step.end;
      }
      call.asked = step.ask;
      if (asks) return this.#question(call, step.ask);
      await this.#give(call, { kind: "deny", reason: this.#host.words.cannotAsk });
    }
  }

  #question({ id }: OpenCall, request: ApprovalRequest): InputRequiredResult {
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
    return inputRequired({ inputRequests: { approval }, requestState: `${id} ${request.nonce}` });
  }

  /** Only what was offered approves; everything else is a no. */
  #answer(call: OpenCall, said: unknown): Promise<void> {
    const session = said === "session" && call.asked?.sessionScope !== undefined;
    if (session) return this.#give(call, { kind: "session" });
    const { declined } = this.#host.words;
    return this.#give(call, said === "approve" ? { kind: "approve" } : { kind: "deny", reason: declined });
  }

  async #give(call: OpenCall, answer: ApprovalAnswer): Promise<void> {
    const { asked } = call;
    delete call.asked;
    if (!asked) return;
    try {
      await this.#host.client.send({ type: "approval.answer", nonce: asked.nonce, answer });
    } catch (error) {
      // It may have been answered elsewhere. What cannot be answered here waits for whoever can, until it expires.
      this.#host.log(sentenceOf(error));
    }
  }

  async #stop(call: OpenCall): Promise<void> {
    this.#open.delete(call.id);
    if (this.#running === call) await this.#host.client.send({ type: "turn.stop" }).catch(() => undefined);
  }

  #resultOf(result: Result): CallToolResult {
    const content = result.parts.map((part) =>
      part.type === "text"
        ? { type: "text" as const, text: part.text }
        : { type: "image" as const, data: part.data, mimeType: part.mime },
    );
    if (content.length === 0) content.push({ type: "text", text: this.#host.words.result(result) });
    return { content, ...(result.status !== "done" && { isError: true }) };
  }
}
