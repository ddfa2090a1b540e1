// Background processes of a session: what may be asked of them.

/** A background process of the session that runs here. */
export interface JobRow {
  id: string;
  command: string;
  state: "running" | "exited" | "killed";
  code?: number | null;
  startedAt: number;
}
export interface JobQuestions {
  "session.jobs": { ask: Record<string, never>; answer: JobRow[] };
  /** The end of what it has printed. */
  "session.job": { ask: { job: string }; answer: { output: string } };
}
