// Giving an answer: judged and signed alone among all processes, so that of several the first one counts.
import { Fault } from "../../base/fault.ts";
import { objection, signAnswer, type Tally, tally, type Voters } from "../../guard/answers.ts";
import type { KeyPair } from "../../io/journal/key.ts";
import type { StoredApproval } from "../../io/store/approvals.ts";
import type { Store } from "../../io/store/store.ts";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "../../protocol/approval.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Identity } from "../../protocol/identity.ts";

interface Ballot {
  store: Store;
  voters: Voters;
  /** What was shown; the stored request when left out. */
  request?: ApprovalRequest;
  identity: Identity;
  signer(): KeyPair;
}

/** Throws a Fault when the answer cannot count. Returns what the answers come to with it. */
export function castAnswer(ballot: Ballot, nonce: string, answer: ApprovalAnswer): Tally {
  const { store, voters, identity } = ballot;
  const key = ballot.signer();
  let result: Tally | undefined;
  store.addAnswer(nonce, (stored) => {
    const { request, answers } = openRequest(stored, nonce);
    const shown = ballot.request ?? request;
    const before = tally(shown, answers, voters);
    if (before.outcome) throw answered(before.outcome);
    const problem = objection(answer, shown, identity);
    if (problem !== undefined)
      throw new Fault("approval.not-yours", Exit.usage, problem, remedyFor(shown, identity, answer));
    const again = before.counted.some(({ by }) => by === identity.name) && answer.kind !== "deny";
    if (again) {
      const left = before.need - before.counted.length;
      throw new Fault(
        "approval.repeated",
        Exit.usage,
        `${identity.name} has approved this already; ${left} more needed.`,
        "Let somebody else look at it: fettle approvals",
      );
    }
    const signed = signAnswer(shown, answer, { by: identity.name, at: Date.now(), key });
    result = tally(shown, [...answers, signed], voters);
    return signed;
  });
  if (!result) throw new Error("an answer was added without being judged");
  return result;
}

function openRequest(stored: StoredApproval | undefined, nonce: string): StoredApproval {
  if (!stored) throw expired(`There is no open request ${nonce}.`);
  if (stored.outcome) throw answered(stored.outcome);
  return stored;
}

/** One that was answered says by whom, every other one has expired. */
export function answered(outcome: ApprovalOutcome): Fault {
  if (outcome.kind === "expired" || outcome.kind === "unanswered") return expired("This request has expired.");
  const what = outcome.kind === "deny" ? "denied" : "approved";
  return expired(`This request was answered already: ${outcome.by} ${what} it.`);
}

export const expired = (text: string): Fault =>
  new Fault("approval.expired", Exit.usage, text, "See what is open: fettle approvals");

function remedyFor(request: ApprovalRequest, identity: Identity, { kind }: ApprovalAnswer): string | undefined {
  const { approver, fourEyes, nonce } = request;
  if (kind === "session" && request.sessionScope === undefined) return undefined;
  if (kind === "like" && request.sessionLike === undefined) return undefined;
  if (kind === "always" && request.always === undefined) return undefined;
  if (fourEyes && identity.name === request.requester)
    return `Somebody else answers: fettle approve ${nonce.slice(0, 8)} --as NAME (fettle identity add NAME makes one).`;
  return identity.approver === approver
    ? undefined
    : `Raise it: fettle config set 'identities.${JSON.stringify(identity.name)}.approver' ${approver}`;
}
