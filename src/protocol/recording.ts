// What a recording of model traffic holds, and whether it can be played.

/** One request and its answer. */
export interface RecordedRound {
  line: number;
  /** Of each message that the request ended with; empty in one that was written by hand without. */
  asked: { role: string; text: string }[];
  say: string;
  calls: { name: string; input: string }[];
  /** An HTTP status instead of an answer. */
  status?: number;
  usage?: { input: number; output: number; cacheRead: number };
}

export interface RecordingProblem {
  line: number;
  /** `secret`: of that kind, `what`; `replay`: it does not play as it was recorded. */
  kind: "secret" | "replay";
  what: string;
}

export interface RecordingReport {
  file: string;
  title: string;
  model?: string;
  rounds: RecordedRound[];
  problems: RecordingProblem[];
}
