/** What the stand-in does; JSON of it is its only argument. */
export interface StandIn {
  tools?: StandInTool[];
  /** A file in which they stand instead, read at each list. */
  toolsFrom?: string;
  /** A file that gets a line for each start, and for each call that it is told to give up. */
  marks?: string;
  /** Ends at the first request that is not `initialize`, a list or a call. */
  picky?: boolean;
  /** Never answers `initialize`. */
  mute?: boolean;
  resources?: { uri: string; description?: string; text: string }[];
  /** Patterns of addresses; `text` may hold `{{uri}}`. */
  templates?: { uriTemplate: string; name: string }[];
  prompts?: { name: string; description?: string; arguments?: object[]; text: string }[];
  /** Printed before anything else, to stdout and to stderr. */
  prints?: string;
}

interface StandInTool {
  name: string;
  description?: string;
  /** Anything: servers lie. */
  inputSchema?: unknown;
  outputSchema?: object;
  /** What a call answers besides, whatever `outputSchema` says. */
  structured?: object;
  annotations?: object;
  /** What a call answers; `{{NAME}}` is its argument NAME, `{{env:NAME}}` a variable, `{{file:PATH}}` what a file holds. */
  says?: string;
  /** The call comes back as failed. */
  fails?: boolean;
  /** `ask`: asks the person what `asks` says, and answers with what came. `more`: the server has another resource from then on. */
  does?: "die" | "hang" | "flood" | "garbage" | "write" | "connect" | "ask" | "more";
  asks?: object;
}
