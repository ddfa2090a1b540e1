// Identities with real keys, and a store that two processes could share.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { People, type PeopleOptions } from "../../src/app/record/people.ts";
import type { Voters } from "../../src/guard/answers.ts";
import { identityKeyPair } from "../../src/io/identities.ts";
import type { KeyPair } from "../../src/io/journal/key.ts";
import { openStore, type Store } from "../../src/io/store/store.ts";
import type { ApprovalRequest } from "../../src/protocol/approval.ts";
import type { Fact } from "../../src/protocol/event.ts";
import type { Identity } from "../../src/protocol/identity.ts";

const roles: Record<string, Identity["approver"]> = {
  "local:ada": "admin",
  "local:bob": "admin",
  "token:ci": "admin",
  "local:junior": "developer",
};

export interface Crowd {
  store: Store;
  voters: Voters;
  identityOf(name: string): Identity;
  signer(name: string): KeyPair;
  facts: Fact[];
  /** Another process's view of the same state. */
  other(): Store;
  people(options?: Partial<PeopleOptions>): People;
}

export function makeCrowd(): Crowd {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-people-"));
  const file = path.join(folder, "state.db");
  const stores = [openStore(file)];
  const [store] = stores as [Store];
  onTestFinished(() => {
    for (const each of stores) each.close();
    rmSync(folder, { recursive: true });
  });
  const keys = new Map<string, KeyPair>();
  const signer = (name: string): KeyPair => {
    const key = keys.get(name) ?? identityKeyPair(folder, name);
    keys.set(name, key);
    return key;
  };
  const identityOf = (name: string): Identity => ({
    name,
    surface: name.startsWith("local:") ? "local" : "token",
    role: "privileged",
    approver: roles[name] ?? "developer",
  });
  const voters: Voters = (name) =>
    name in roles ? { identity: identityOf(name), publicKey: signer(name).publicKey } : undefined;
  const facts: Fact[] = [];
  return {
    ...{ store, voters, identityOf, signer, facts },
    other() {
      const opened = openStore(file);
      stores.push(opened);
      return opened;
    },
    people: (options = {}) =>
      new People({
        ...{ store, voters, identityOf, signer },
        identity: identityOf("local:ada"),
        answers: "here",
        connected: () => true,
        tell: (fact) => void facts.push(fact),
        ...options,
      }),
  };
}

let nonces = 0;
export const request = (more: Partial<ApprovalRequest> = {}, lastsMs = 60_000): ApprovalRequest => ({
  nonce: `n${++nonces}`,
  session: "s",
  call: "c",
  tool: "shell",
  origin: "model",
  action: { kind: "shell", command: "rm a", background: false },
  effects: [],
  risk: "L2",
  undo: "irreversible",
  reasons: [],
  approver: "developer",
  sandboxed: true,
  digest: "d",
  requester: "local:ada",
  askedAt: Date.now(),
  expiresAt: Date.now() + lastsMs,
  ...more,
});

export const calm = () => new AbortController().signal;
