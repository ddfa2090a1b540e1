// Which outcomes approve, without the schemas of approval.ts: the gate knows them, and schemas are loaded when they are used.
import type { ApprovalOutcome, ApprovedOutcome } from "./approval.ts";

const approving: readonly ApprovalOutcome["kind"][] = ["approve", "session", "like", "always"];
export const isApproved = (outcome: ApprovalOutcome): outcome is ApprovedOutcome => approving.includes(outcome.kind);
