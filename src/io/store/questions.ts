// What a task asks while its process waits: at most one question a session, answered by that process or another one.
import type { Database } from "./database.ts";

export interface OpenQuestion {
  session: string;
  call: string;
  text: string;
}

/** One that a killed process has left is replaced. */
export function askQuestion(database: Database, { session, call, text }: OpenQuestion): void {
  database.run("insert or replace into question (session, call, text) values (?, ?, ?)", session, call, text);
}

/** The text of the question, as long as nobody has answered it. */
export function openQuestionOf(database: Database, session: string): string | undefined {
  const row = database.get("select text from question where session = ? and answer is null", session);
  return row && String(row["text"]);
}

/** False where nothing is asked, or somebody was faster. */
export const answerQuestion = (database: Database, session: string, answer: string): boolean =>
  database.run("update question set answer = ? where session = ? and answer is null", answer, session) === 1;

export function answerOf(database: Database, session: string, call: string): string | undefined {
  const row = database.get("select answer from question where session = ? and call = ?", session, call);
  return typeof row?.["answer"] === "string" ? row["answer"] : undefined;
}

export function dropQuestion(database: Database, session: string): void {
  database.run("delete from question where session = ?", session);
}
