// Who may answer an approval, with a real store.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { People } from "../../src/app/people.ts";
import { openStore } from "../../src/io/store/store.ts";
import type { Origin } from "../../src/protocol/action.ts";
import type { ApprovalRequest } from "../../src/protocol/approval.ts";

function makePeople(headless: boolean) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-people-"));
  const store = openStore(path.join(folder, "state.db"));
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  return { people: new People({ store, headless, person: "local:ada" }), store };
}

let nonces = 0;
const request = (origin: Origin, call: string, lastsMs = 60_000): ApprovalRequest => ({
  nonce: `n${++nonces}`,
  session: "s",
  call,
  tool: "shell",
  origin,
  action: { kind: "shell", command: "rm a", background: false },
  effects: [],
  risk: "L2",
  undo: "irreversible",
  reasons: [],
  approver: "developer",
  sandboxed: true,
  digest: "d",
  askedAt: Date.now(),
  expiresAt: Date.now() + lastsMs,
});
const calm = () => new AbortController().signal;

test("what the person does themselves is approved; a model that names its call so is not", async () => {
  const { people } = makePeople(true);
  expect(await people.ask(request("person", "person-1"), calm())).toEqual({ kind: "approve", by: "local:ada" });
  expect(await people.ask(request("model", "person-1"), calm())).toEqual({ kind: "unanswered", why: "headless" });
  expect(await people.ask(request("model", "person-restore-3"), calm())).toMatchObject({ kind: "unanswered" });
});

test("the first answer wins, in the store too; a second one is refused", async () => {
  const { people, store } = makePeople(false);
  const asked = request("model", "c1");
  const outcome = people.ask(asked, calm());
  people.answer(asked.nonce, { kind: "deny", reason: "not now" });
  expect(() => people.answer(asked.nonce, { kind: "approve" })).toThrow("answered already");
  expect(await outcome).toEqual({ kind: "deny", reason: "not now", by: "local:ada" });
  expect(store.approval(asked.nonce)?.outcome).toEqual({ kind: "deny", reason: "not now", by: "local:ada" });
});

test("an answer that another process gave to the store wins over expiry", async () => {
  const { people, store } = makePeople(false);
  const asked = request("model", "c1", 80);
  const outcome = people.ask(asked, calm());
  expect(store.claimApproval(asked.nonce, { kind: "approve", by: "local:bob" })).toBe(true);
  expect(await outcome).toEqual({ kind: "approve", by: "local:bob" });
});

test("every wait ends: by time, by the signal, by leaving", async () => {
  const { people } = makePeople(false);
  expect(await people.ask(request("model", "late", 20), calm())).toEqual({ kind: "expired" });
  const controller = new AbortController();
  const stopped = people.ask(request("model", "stopped"), controller.signal);
  const question = people.question("q1", controller.signal);
  controller.abort();
  expect(await stopped).toEqual({ kind: "unanswered", why: "stopped" });
  expect(await question).toBeUndefined();
  expect(await people.ask(request("model", "after"), controller.signal)).toMatchObject({ why: "stopped" });
  const left = [people.ask(request("model", "left"), calm()), people.question("q2", calm())];
  people.leave();
  expect(await Promise.all(left)).toEqual([{ kind: "unanswered", why: "stopped" }, undefined]);
  expect(() => people.answerQuestion("q2", "yes")).toThrow("no longer open");
});
