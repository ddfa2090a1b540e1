// Answers in the project's state, receipts in its ledger: stored, migrated, verified by both verifiers.
import path from "node:path";
import { expect, test } from "vitest";
import { signedNote } from "../../../src/guard/ledger/note-signature.ts";
import { loadKeyPair } from "../../../src/io/journal/key.ts";
import { Database } from "../../../src/io/store/database.ts";
import { projectMigrations } from "../../../src/io/store/schema.ts";
import { openStore } from "../../../src/io/store/store.ts";
import type { SignedAnswer } from "../../../src/protocol/approval.ts";
import { edited, judged, newLedger, rechained, writePairs } from "../../guard/ledger/ledger-support.ts";
import { temporaryFolder } from "../../support/folders.ts";

const answer = (by: string): SignedAnswer => ({
  ...{ nonce: "old", request: "r", answer: { kind: "approve" }, by, at: 1, key: "k", sig: "s" },
});

test("a state of the version before keeps its requests, takes answers, and loses them with the session", () => {
  const file = path.join(temporaryFolder(), "state.db");
  const before = new Database(file, projectMigrations.slice(0, 2));
  before.run(
    "insert into session (id, workspace, cwd, started_at, last_at, model) values ('s-1', '/w', '/w', 1, 1, 'a/b')",
  );
  const request = JSON.stringify({ nonce: "old", session: "s-1", call: "c" });
  const insert = "insert into approval (nonce, session, asked_at, expires_at, request) values ('old', 's-1', 1, ?, ?)";
  before.run(insert, Date.now() + 60_000, request);
  before.close();

  const store = openStore(file);
  expect(store.approval("old")).toMatchObject({ request: { session: "s-1" }, answers: [], paused: false });
  store.addAnswer("old", (stored) => {
    expect(stored?.answers).toEqual([]);
    return answer("local:ada");
  });
  const refused = () =>
    store.addAnswer("old", () => {
      throw new Error("not yours");
    });
  expect(refused).toThrow("not yours");
  store.addAnswer("old", () => answer("local:bob"));
  expect(store.answersTo("old").map(({ by }) => by)).toEqual(["local:ada", "local:bob"]);
  store.setApprovalClock("old", 5, true);
  expect(store.openApprovals().map((each) => [each.request.nonce, each.paused, each.expiresAt])).toEqual([
    ["old", true, 5],
  ]);
  store.setApprovalClock("old", 5, false);
  expect(store.openApprovals()).toEqual([]);
  expect(store.unclaimedApprovals("s-1")).toEqual(["old"]);
  expect(store.approvalsLike("ol").map((each) => each.request.nonce)).toEqual(["old"]);
  store.deleteSession("s-1");
  expect([store.approval("old"), store.answersTo("old")]).toEqual([undefined, []]);
  store.close();
});

test("a receipt that was changed, or signed by somebody else, is named by both verifiers, before any checkpoint", async () => {
  const { folder, ledger, key } = newLedger();
  writePairs(ledger, 1);
  ledger.seal("half");
  ledger.receipt({ nonce: "n1", by: "local:ada", files: [{ path: "/w/a", digest: "sha256:0" }], expires: 5 });
  expect(await judged(folder, key.publicKey)).toMatchObject({ ok: true, entries: 5 });

  const receipt = (change: (data: Record<string, unknown>) => object) =>
    edited(folder, (lines) =>
      rechained(lines, 4, (entry) => ({ ...entry, data: change(entry["data"] as Record<string, unknown>) })),
    );
  const changed = receipt((data) => ({ ...data, by: "local:eve" }));
  expect(await judged(changed, key.publicKey)).toMatchObject({
    ok: false,
    badEntry: 5,
    problem: "the signature of the receipt in entry 5 does not fit",
  });
  const stranger = loadKeyPair(temporaryFolder());
  const resigned = receipt(({ key: _, sig: __, ...data }) =>
    signedNote("receipt", { ...data, by: "local:eve" } as never, stranger),
  );
  for (const publicKey of [key.publicKey, undefined]) {
    expect(await judged(resigned, publicKey)).toMatchObject({
      ok: false,
      badEntry: 5,
      problem: "the receipt in entry 5 was signed by another key than the ledger",
    });
  }
});
