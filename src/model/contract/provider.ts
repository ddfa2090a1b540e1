// The contract of a provider. model/providers holds one thin adapter per vendor; test/conformance holds its suite.
import type { Sealed } from "../../base/seal.ts";
import type { AnswerPart, ModelRequest } from "../../protocol/request.ts";
import type { Capabilities, ListedPrice } from "./card.ts";
import type { Told } from "./told.ts";

/** A request that the secrets firewall has scrubbed; only guard/firewall can make one. */
export type Scrubbed = Sealed<"Scrubbed", ModelRequest>;

export interface ModelInfo {
  id: string;
  /** Tokens; undefined when the server does not say. */
  contextWindow?: number;
  maxOutput?: number;
  /** US dollars per million tokens. */
  price?: ListedPrice;
  capabilities?: Capabilities;
}

export interface Provider {
  /** Configuration name: `openai`, `anthropic`, `ollama`, or a person's own. */
  name: string;
  /** Who understands its reasoning blocks and vendor data. Two names may share a vendor. */
  vendor: string;
  local: boolean;
  /**
   * Streams one answer: any number of text and reasoning parts, then exactly one `end`; or throws a WireFault.
   * The connection is closed whatever happens, also when the consumer stops reading or the signal fires
   * (an aborted stream ends with `end` and finish `aborted` if anything had come, else throws the abort reason).
   */
  stream(request: Scrubbed, signal: AbortSignal): AsyncIterable<AnswerPart>;
  /** What the headers of its answers have said of its limits since this was asked last. */
  limits?(): Told | undefined;
  /** Loads the model, so that the first answer need not wait for it. Resolves when that was asked for, whatever comes of it. */
  preload?(model: string, signal: AbortSignal): Promise<void>;
  /** Models the server offers. Throws a WireFault. */
  models(signal: AbortSignal): Promise<ModelInfo[]>;
}
