// What fills a model's window, and what was said before it. Answers to questions.

/** A place in what was said: `who` said it, or which call's result it is; `excerpt` is around the words. */
export interface RecallHit {
  turn: number;
  who: string;
  call?: string;
  excerpt: string;
}

/** Tokens are estimated by what the provider has counted so far. */
export interface ContextBlock {
  kind:
    | "system"
    | "instructions"
    | "tools"
    | "sources"
    | "person"
    | "answers"
    | "results"
    | "images"
    | "summary"
    | "attached"
    | "notes";
  /** The file of instructions. */
  name?: string;
  tokens: number;
  count: number;
}

export interface ContextView {
  model: string;
  window: number;
  tokens: number;
  /** What a compaction keeps free, and from how many tokens on it comes. */
  reserve: number;
  compactsAt: number;
  blocks: ContextBlock[];
  /** Tool results that are sent as a line each, and how often messages have been left out. */
  masked: number;
  compactions: number;
  /** Of the input of the session so far, what the provider took from its cache: 0 to 1; null where it says nothing. */
  cached: number | null;
}
