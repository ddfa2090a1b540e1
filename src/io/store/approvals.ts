import type { ApprovalOutcome, ApprovalRequest, SignedAnswer } from "../../protocol/approval.ts";
import type { Database, Row } from "./database.ts";
import { parsed } from "./facts.ts";

/** `answers` is whatever stands in the file: only a signature that fits says that it was given. */
export interface StoredApproval {
  request: ApprovalRequest;
  outcome?: ApprovalOutcome;
  answers: SignedAnswer[];
  expiresAt: number;
  paused: boolean;
}

export function keepApproval(database: Database, request: ApprovalRequest): void {
  database.run(
    "insert into approval (nonce, session, asked_at, expires_at, request) values (?, ?, ?, ?, ?)",
    request.nonce,
    request.session,
    request.askedAt,
    request.expiresAt,
    JSON.stringify(request),
  );
}

/** Once. Whether it came in time is for the process that waits: it alone runs the clock. */
export function answerApproval(database: Database, nonce: string, outcome: ApprovalOutcome): boolean {
  const changed = database.run(
    "update approval set outcome = ?, answered_at = ? where nonce = ? and outcome is null",
    JSON.stringify(outcome),
    Date.now(),
    nonce,
  );
  return changed === 1;
}

/** `judge` sees the request as it is at that moment, alone among all processes, and says what is added; or throws. */
export function addAnswer(
  database: Database,
  nonce: string,
  judge: (approval: StoredApproval | undefined) => SignedAnswer,
): void {
  database.transaction(() => {
    const answer = judge(approvalOf(database, nonce));
    database.run("insert into answer (nonce, json) values (?, ?)", nonce, JSON.stringify(answer));
  });
}

/** In the order in which they came; cheap enough to be asked several times a second. */
export function answersTo(database: Database, nonce: string): SignedAnswer[] {
  const rows = database.all("select json from answer where nonce = ? order by number", nonce);
  return rows.map((row) => parsed<SignedAnswer>(database, row, "json"));
}

export function setClock(database: Database, nonce: string, expiresAt: number, paused: boolean): void {
  database.run(
    "update approval set expires_at = ?, paused = ? where nonce = ? and outcome is null",
    Math.round(expiresAt),
    paused ? 1 : 0,
    nonce,
  );
}

export function approvalOf(database: Database, nonce: string): StoredApproval | undefined {
  const row = database.get("select * from approval where nonce = ?", nonce);
  return row && stored(database, row);
}

/** Those whose nonce begins so; no more than two, which is too many already. */
export function approvalsLike(database: Database, prefix: string): StoredApproval[] {
  const rows = database.all("select * from approval where substr(nonce, 1, length(?1)) = ?1 limit 2", prefix);
  return rows.map((row) => stored(database, row));
}

/** The newest, oldest first. */
export function recentApprovals(database: Database, limit: number): StoredApproval[] {
  const rows = database.all("select * from approval order by asked_at desc limit ?", limit);
  return rows.map((row) => stored(database, row)).toReversed();
}

export function unanswered(database: Database): StoredApproval[] {
  const rows = database.all(
    "select * from approval where outcome is null and (paused = 1 or expires_at > ?) order by asked_at",
    Date.now(),
  );
  return rows.map((row) => stored(database, row));
}

/** Requests of a session that nobody waits for any more. */
export function unclaimed(database: Database, session: string): string[] {
  const rows = database.all("select nonce from approval where session = ? and outcome is null", session);
  return rows.map((row) => String(row["nonce"]));
}

function stored(database: Database, row: Row): StoredApproval {
  const request = parsed<ApprovalRequest>(database, row, "request");
  return {
    request,
    answers: answersTo(database, request.nonce),
    expiresAt: Number(row["expires_at"]),
    paused: row["paused"] === 1,
    ...(row["outcome"] !== null && { outcome: parsed<ApprovalOutcome>(database, row, "outcome") }),
  };
}
