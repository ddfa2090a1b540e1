// What fettle itself does at a remote or a forge, for one act that the gate let through.
import type { ActionOf } from "../../protocol/action.ts";

export type ForgeTask = ActionOf<"forge">;

export interface ForgeRequest {
  method: "GET" | "POST" | "PATCH";
  /** Below the act's url, with a slash in front. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

export interface ForgeReply {
  status: number;
  /** The answer's JSON; undefined when it is none. */
  json: unknown;
}

export type PushEnd =
  /** `said`: what the other side told about it. */
  { kind: "pushed" | "unchanged"; said: string } | { kind: "refused"; why: string };

/** Every method rejects with a NetFailure or a ForgeFailure that says in a sentence what stood in the way. */
export interface ForgeHand {
  /** Whether there is a token for the host. */
  authorized(): Promise<boolean>;
  /** The commit at which the act's branch is; undefined: there is no such branch. */
  branch(): Promise<string | undefined>;
  /** Puts the act's commit, of the repository at `objects`, onto its branch; never over what is there. */
  push(objects: string): Promise<PushEnd>;
  request(request: ForgeRequest): Promise<ForgeReply>;
}

export class ForgeFailure extends Error {
  override readonly name = "ForgeFailure";
}
