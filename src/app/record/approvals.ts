// Requests of any run of this project: looked at and answered from outside of the run that waits.
import { Fault } from "../../base/fault.ts";
import { tally } from "../../guard/answers.ts";
import type { StoredApproval } from "../../io/store/approvals.ts";
import type { Session } from "../../engine/session/session.ts";
import type { ApprovalAnswer, ApprovalOutcome } from "../../protocol/approval.ts";
import { Exit } from "../../protocol/exit.ts";
import type { ApprovalRow } from "../../protocol/query.ts";
import { givenIdentity, identityOf, signerOf, votersOf } from "../program/identities.ts";
import type { Program } from "../program/program.ts";
import { answered, castAnswer, expired } from "./votes.ts";

const mostShown = 50;
const shortestId = 4;
/** The run that waits looks ten times a second. */
const takenMs = 3_000;

export function listApprovals(program: Program, all: boolean): ApprovalRow[] {
  const store = program.store();
  const found = all ? store.recentApprovals(mostShown) : store.openApprovals();
  return found.map((stored) => rowOf(program, stored));
}

export const showApproval = (program: Program, id: string): ApprovalRow => rowOf(program, namedApproval(program, id));

/** By nonce, or by the first four or more characters of one when only one has them. Throws a Fault. */
function namedApproval(program: Program, id: string): StoredApproval {
  const store = program.store();
  const exact = store.approval(id);
  if (exact) return exact;
  const like = id.length < shortestId ? [] : store.approvalsLike(id);
  if (like[0] && like.length === 1) return like[0];
  if (like.length > 1) {
    throw new Fault("approval.ambiguous", Exit.usage, `Several requests begin with ${id}.`, "Give more of the name.");
  }
  throw new Fault("approval.unknown", Exit.usage, `There is no request ${id} in this project.`, seeOpen);
}

const seeOpen = "See what is open: fettle approvals";

function rowOf(program: Program, { request, outcome, answers, expiresAt, paused }: StoredApproval): ApprovalRow {
  const { counted, need } = tally(request, answers, votersOf(program));
  const waits = program.store().leaseHolder(request.session) !== undefined;
  const late = !paused && expiresAt <= Date.now();
  return {
    request,
    state: outcome ? "answered" : late ? "expired" : waits ? "open" : "orphaned",
    paused,
    expiresAt,
    answers: counted.map(({ by, at, answer }) => ({ by, at, kind: answer.kind })),
    need,
    ...(outcome && { outcome }),
  };
}

/** Signs the answer and waits until the run that asked has taken it. Throws a Fault when it cannot count. */
export async function answerElsewhere(
  program: Program,
  { nonce: id, answer, as }: { nonce: string; answer: ApprovalAnswer; as?: string | undefined },
): Promise<void> {
  const { request, outcome } = namedApproval(program, id);
  if (outcome) throw answered(outcome);
  if (program.store().leaseHolder(request.session) === undefined) {
    throw expired(`Request ${id} has expired: the run that asked has ended; going on with it asks anew.`);
  }
  const name = givenIdentity(as);
  const signer = () => signerOf(program, name);
  signer();
  const ballot = { store: program.store(), voters: votersOf(program), identity: identityOf(program, name), signer };
  const result = castAnswer(ballot, request.nonce, answer);
  if (result.outcome) await taken(program, request.nonce, result.outcome);
}

async function taken(program: Program, nonce: string, wanted: ApprovalOutcome): Promise<void> {
  const until = Date.now() + takenMs;
  while (Date.now() < until) {
    const outcome = program.store().approval(nonce)?.outcome;
    if (outcome?.kind === wanted.kind) return;
    if (outcome) throw answered(outcome);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Fault(
    "approval.not-taken",
    Exit.failed,
    "The answer is stored, but the run that asked has not taken it yet; it may be suspended.",
    seeOpen,
  );
}

/**
 * What a process left open that has ended: nobody executes it on an old answer. The model hears that its call was not run and may
 * ask again, under a new nonce.
 */
export function closeLost(program: Program, session: Session): void {
  const store = program.store();
  const lost = { kind: "unanswered", why: "restarted" } as const;
  for (const nonce of store.unclaimedApprovals(session.id)) store.claimApproval(nonce, lost);
  for (const { nonce, call } of [...session.state.asked]) {
    session.append({ type: "approval.answered", nonce, call, outcome: lost });
  }
}
