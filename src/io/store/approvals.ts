import type { ApprovalOutcome, ApprovalRequest } from "../../protocol/approval.ts";
import type { Database, Row } from "./database.ts";
import { parsed } from "./facts.ts";

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

/** A person's answer counts until the request expires; that it expired or stayed unanswered can be told at any time. */
export function answerApproval(database: Database, nonce: string, outcome: ApprovalOutcome): boolean {
  const answered = outcome.kind !== "expired" && outcome.kind !== "unanswered";
  const now = Date.now();
  const changed = database.run(
    "update approval set outcome = ?, answered_at = ? where nonce = ? and outcome is null and expires_at > ?",
    JSON.stringify(outcome),
    now,
    nonce,
    answered ? now : -1,
  );
  return changed === 1;
}

export function approvalOf(
  database: Database,
  nonce: string,
): { request: ApprovalRequest; outcome?: ApprovalOutcome } | undefined {
  const row = database.get("select request, outcome from approval where nonce = ?", nonce);
  if (!row) return undefined;
  const request = parsed<ApprovalRequest>(database, row, "request");
  return row["outcome"] === null
    ? { request }
    : { request, outcome: parsed<ApprovalOutcome>(database, row, "outcome") };
}

export function unanswered(database: Database): ApprovalRequest[] {
  const rows: Row[] = database.all(
    "select request from approval where outcome is null and expires_at > ? order by asked_at",
    Date.now(),
  );
  return rows.map((row) => parsed<ApprovalRequest>(database, row, "request"));
}
