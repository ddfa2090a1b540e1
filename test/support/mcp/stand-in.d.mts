/** What the stand-in does; JSON of it is its only argument. */
export interface StandIn {
  tools?: StandInTool[];
  /** A file in which they stand instead, read at each list. */
  toolsFrom?: string;
  /** A file that gets a line for each start. */
  marks?: string;
  /** Ends at the first request that is not `initialize`, a list or a call. */
  picky?: boolean;
  /** Never answers `initialize`. */
  mute?: boolean;
  /** Printed before anything else, to stdout and to stderr. */
  prints?: string;
}

interface StandInTool {
  name: string;
  description?: string;
  inputSchema?: object;
  annotations?: object;
  /** What a call answers; `{{NAME}}` is its argument NAME, `{{env:NAME}}` a variable, `{{file:PATH}}` what a file holds. */
  says?: string;
  /** The call comes back as failed. */
  fails?: boolean;
  does?: "die" | "hang" | "flood" | "garbage" | "write" | "connect";
}
