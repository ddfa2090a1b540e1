// Who has answered a request, and what that comes to. An answer is what its signature says, never what stands in a file.
import { canonical } from "../base/canonical.ts";
import { digestOf } from "../base/digest.ts";
import { type KeyPair, signatureFits } from "../io/journal/key.ts";
import type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalRequest,
  ApprovedOutcome,
  SignedAnswer,
} from "../protocol/approval.ts";
import type { Identity } from "../protocol/identity.ts";
import { higherApprover } from "./decide.ts";

const purpose = "fettle-answer-1\n";

export interface Voter {
  identity: Identity;
  publicKey: string;
}

/** The registered identity of that name. */
export type Voters = (name: string) => Voter | undefined;

export function signAnswer(
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  { by, at, key }: { by: string; at: number; key: KeyPair },
): SignedAnswer {
  const open = { nonce: request.nonce, request: digestOf(request), answer, by, at, key: key.publicKey };
  return { ...open, sig: key.sign(purpose + canonical(open)) };
}

/** Why the answer does not count; undefined when it was given to this very request, by that identity. */
function forgery(signed: SignedAnswer, request: ApprovalRequest, voters: Voters): string | undefined {
  const voter = voters(signed.by);
  if (!voter) return `${signed.by} is no registered identity`;
  if (signed.key !== voter.publicKey) return `it was signed with another key than ${signed.by}'s`;
  if (signed.nonce !== request.nonce || signed.request !== digestOf(request)) return "it was given to another request";
  const { sig, ...open } = signed;
  return signatureFits(signed.key, purpose + canonical(open), sig) ? undefined : "its signature does not fit";
}

/** Why this identity may not give this answer; a denial is anybody's. */
export function objection(answer: ApprovalAnswer, request: ApprovalRequest, identity: Identity): string | undefined {
  if (answer.kind === "deny") return undefined;
  if (answer.kind === "session" && request.sessionScope === undefined) {
    return "This cannot be approved for the whole session; approve it once.";
  }
  if (answer.kind === "like" && request.sessionLike === undefined) {
    return "Nothing like this can be approved for the whole session; approve it once.";
  }
  if (answer.kind === "always" && request.always === undefined) {
    return "No rule can allow this for good; approve it once.";
  }
  const own = identity.name === request.requester;
  if (own && request.fourEyes) {
    return `${identity.name} asked for this run, and approval.four_eyes demands that somebody else approves.`;
  }
  if (own && identity.surface !== "local")
    return `${identity.name} asked for this run and cannot approve its own request.`;
  if (higherApprover(identity.approver, request.approver) === identity.approver) return undefined;
  return `This needs the approval of ${article(request.approver)}; ${identity.name} answers as ${article(identity.approver)}.`;
}

const article = (role: string): string => `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;

export interface Tally {
  counted: SignedAnswer[];
  /** Answers that do not count: in whose name, and why. */
  refused: { by: string; why: string }[];
  need: number;
  outcome?: ApprovedOutcome | Extract<ApprovalOutcome, { kind: "deny" }>;
}

/**
 * In the order in which they came: any denial ends it, as does the last approval that is needed; what comes after that
 * does not count. One identity, and one key, counts once.
 */
export function tally(request: ApprovalRequest, answers: readonly SignedAnswer[], voters: Voters): Tally {
  const need = Math.max(1, request.quorum ?? 1);
  const result: Tally = { counted: [], refused: [], need };
  for (const answer of answers) {
    if (result.outcome) return result;
    if (!isAnswer(answer)) {
      result.refused.push({ by: "somebody", why: "it is no answer" });
      continue;
    }
    const why = forgery(answer, request, voters) ?? objectionTo(answer, request, voters) ?? repetition(answer, result);
    if (why !== undefined) result.refused.push({ by: answer.by, why });
    else count(answer, result);
  }
  return result;
}

const known: ReadonlySet<string> = new Set<ApprovalAnswer["kind"]>(["approve", "session", "like", "always", "deny"]);

/** Whatever stands in the store: what this version cannot read approves nothing, by whomever it is signed. */
function isAnswer(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const { answer, at, ...texts } = given as Partial<SignedAnswer>;
  const kind = typeof answer === "object" ? answer?.kind : undefined;
  if (kind === undefined || !known.has(kind)) return false;
  const { nonce, request, by, key, sig } = texts;
  return Number.isSafeInteger(at) && [nonce, request, by, key, sig].every((text) => typeof text === "string");
}

const objectionTo = ({ by, answer }: SignedAnswer, request: ApprovalRequest, voters: Voters): string | undefined => {
  const voter = voters(by);
  return voter && objection(answer, request, voter.identity);
};

function repetition(answer: SignedAnswer, { counted }: Tally): string | undefined {
  const again = counted.some(({ by, key }) => by === answer.by || key === answer.key);
  return again && answer.answer.kind !== "deny" ? `${answer.by} has approved it already` : undefined;
}

function count(answer: SignedAnswer, result: Tally): void {
  const { counted, need } = result;
  counted.push(answer);
  const given = answer.answer;
  if (given.kind === "deny") {
    const reason = given.reason === undefined ? {} : { reason: given.reason };
    const revise = given.revise === undefined ? {} : { revise: given.revise };
    result.outcome = { kind: "deny", by: answer.by, ...reason, ...revise, answers: [...counted] };
    return;
  }
  if (counted.length < need) return;
  // For longer than once only what everybody approved for as long.
  const kind =
    given.kind !== "approve" && counted.every((each) => each.answer.kind === given.kind) ? given.kind : "approve";
  result.outcome = { kind, by: counted.map(({ by }) => by).join(", "), answers: [...counted] };
}
