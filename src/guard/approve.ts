// Asks the person, one question at a time, and binds the answer to what was asked.
import { digestOf, sha256 } from "../base/digest.ts";
import type { GateCall } from "../protocol/action.ts";
import type { ApprovalOutcome, ApprovalRequest } from "../protocol/approval.ts";
import type { ApproverRole, Decision } from "../protocol/decision.ts";
import type { Assessment, Reason, Undo } from "../protocol/effect.ts";
import type { Diff } from "../protocol/result.ts";
import { higherApprover } from "./decide.ts";
import { withoutCheckpoints } from "./irretrievable.ts";
import { Lanes } from "./lanes.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { Approver, Facts, SessionFacts } from "./ports.ts";

export interface Judged {
  call: GateCall;
  assessment: Assessment;
  decision: Decision;
}

export interface ApprovalParts {
  facts: Facts;
  approver: Approver;
  session: SessionFacts;
  ledger: Pick<Ledger, "note">;
  sandboxed: boolean;
  clock(): number;
  approvalTimeoutMs: number;
  preview(call: GateCall): Promise<Diff | undefined>;
  random(): string;
}

/** `answered`: by a person, or by what was decided while it waited. `changed`: the world moved under an approval. */
export type Approval =
  | { kind: "granted"; judged: Judged; by: string; diff: Diff | undefined }
  | { kind: "free"; judged: Judged; diff: Diff | undefined }
  | { kind: "denied"; judged: Judged }
  | { kind: "refused"; judged: Judged; outcome: Exclude<ApprovalOutcome, { kind: "approve" | "session" }> }
  | { kind: "changed"; judged: Judged }
  | { kind: "stopped"; judged: Judged };

const preparedAtMost = 3;

export class Approvals {
  readonly #parts: ApprovalParts;
  readonly #prepared = new Lanes(preparedAtMost);
  readonly #shown = new Lanes(1);
  /** A preview made before another answer may be out of date: what was approved has run since. */
  #answers = 0;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  /** `judge` judges the same call anew, with what is true then. */
  async ask(first: Judged, judge: () => Judged, signal: AbortSignal): Promise<Approval> {
    const approval = await this.#prepared.pass(signal, async () => {
      const made = { answers: this.#answers, of: first.assessment.digest };
      const diff = await this.#parts.preview(first.call);
      return this.#shown.pass(signal, () => this.#show(judge, signal, { ...made, diff }));
    });
    return approval ?? { kind: "stopped", judged: first };
  }

  /** What was answered meanwhile may have answered this too. */
  async #show(
    judge: () => Judged,
    signal: AbortSignal,
    preview: { diff: Diff | undefined; of: string; answers: number },
  ): Promise<Approval> {
    const { session, approver, facts } = this.#parts;
    const asked = judge();
    const fresh = asked.assessment.digest === preview.of && preview.answers === this.#answers;
    const diff = fresh ? preview.diff : await this.#parts.preview(asked.call);
    if (asked.decision.verdict === "deny") return { kind: "denied", judged: asked };
    if (asked.decision.verdict !== "ask") return { kind: "free", judged: asked, diff };
    const files = filesDigest(asked.assessment, facts);
    const request = this.#request(asked, diff);
    session.append({ type: "approval.asked", request });
    const outcome = await approver.ask(request, signal);
    this.#answers += 1;
    session.append({ type: "approval.answered", nonce: request.nonce, call: asked.call.id, outcome });
    if (outcome.kind !== "approve" && outcome.kind !== "session") return { kind: "refused", judged: asked, outcome };
    if (signal.aborted) return { kind: "stopped", judged: asked };
    const now = judge();
    const same = now.assessment.digest === asked.assessment.digest && filesDigest(now.assessment, facts) === files;
    if (!same) return { kind: "changed", judged: now };
    if (now.decision.verdict === "deny") return { kind: "denied", judged: now };
    this.#receipt(request, outcome.by, files);
    return { kind: "granted", judged: now, by: outcome.by, diff };
  }

  #request({ call, assessment: found, decision }: Judged, diff: Diff | undefined): ApprovalRequest {
    const assessment = withoutCheckpoints(found, this.#parts.session.context());
    const { session, clock, approvalTimeoutMs, random, sandboxed } = this.#parts;
    const askedAt = clock();
    return {
      nonce: random(),
      session: session.session,
      call: call.id,
      tool: call.tool,
      origin: call.origin,
      action: call.action,
      ...(call.claim !== undefined && { claim: call.claim }),
      effects: assessment.effects,
      risk: decision.risk,
      undo: worstUndo(assessment),
      reasons: reasonsOf(assessment, decision, sandboxed),
      approver: approverFor(decision.approver ?? "developer", diff),
      ...(diff && diff.files.length > 0 && { diff }),
      sandboxed,
      ...(assessment.scope !== undefined && { sessionScope: assessment.scope }),
      digest: assessment.digest,
      askedAt,
      expiresAt: askedAt + approvalTimeoutMs,
    };
  }

  #receipt(request: ApprovalRequest, by: string, files: string): void {
    const { ledger, session } = this.#parts;
    ledger.note("approval.receipt", {
      session: request.session,
      call: request.call,
      nonce: request.nonce,
      by,
      digest: request.digest,
      arguments: digestOf(request.action),
      files,
      policy: session.context().policy.version,
      expires: request.expiresAt,
    });
  }
}

const undoOrder: readonly Undo[] = ["reversible", "compensable", "irreversible"];
const worstUndo = ({ effects }: Assessment): Undo =>
  effects.reduce<Undo>(
    (worst, { undo }) => (undoOrder.indexOf(undo) > undoOrder.indexOf(worst) ? undo : worst),
    "reversible",
  );

function reasonsOf(assessment: Assessment, decision: Decision, sandboxed: boolean): Reason[] {
  const { risk } = decision;
  const reasons: Reason[] = [{ code: `rule.${decision.rule}`, risk, text: decision.text }, ...assessment.reasons];
  const executes = assessment.tags.includes("process");
  if (executes && !sandboxed) {
    reasons.push({ code: "sandbox.none", risk, text: "there is no sandbox: the program can do whatever you can" });
  }
  if (executes && assessment.effects.some(({ kind }) => kind === "network")) {
    reasons.push({
      code: "network.open",
      risk,
      text: "the program gets the whole network while it runs, not only the hosts named",
    });
  }
  return reasons;
}

/** By size: 200 lines are a senior's, more than 500 lines or 20 files an architect's. */
function approverFor(role: ApproverRole, diff: Diff | undefined): ApproverRole {
  if (!diff) return role;
  const lines = diff.files.reduce((sum, { added, removed }) => sum + added + removed, 0);
  if (lines > 500 || diff.files.length > 20) return higherApprover(role, "architect");
  return lines >= 200 ? higherApprover(role, "senior") : role;
}

/** The content of the files that the effects change, and that a program or interpreter would execute, as far as the facts can read it. */
function filesDigest({ effects, tags }: Assessment, facts: Facts): string {
  const executes = tags.includes("unknown-program") || tags.includes("interpreter");
  const paths = effects
    .filter(({ kind }) => kind === "write" || kind === "delete" || (kind === "read" && executes))
    .map(({ target }) => target);
  const states = [...new Set(paths)].toSorted().map((target) => {
    const { real, kind, size } = facts.path(target);
    const text = kind === "file" ? facts.text(real) : undefined;
    return `${real} ${kind} ${size} ${text === undefined ? "" : sha256(text)}`;
  });
  return sha256(states.join("\n"));
}
