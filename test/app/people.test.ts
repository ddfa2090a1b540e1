// Who may answer an approval, with a real store and real keys.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { castAnswer } from "../../src/app/record/votes.ts";
import { signAnswer } from "../../src/guard/answers.ts";
import type { ApprovalAnswer, ApprovalRequest, SignedAnswer } from "../../src/protocol/approval.ts";
import { calm, type Crowd, makeCrowd, request } from "./voters.ts";

/** As another process answers: it knows the store and its own key. */
function elsewhere(crowd: Crowd, asked: ApprovalRequest, answer: ApprovalAnswer, as: string) {
  const store = crowd.other();
  const ballot = { store, voters: crowd.voters, identity: crowd.identityOf(as), signer: () => crowd.signer(as) };
  return castAnswer(ballot, asked.nonce, answer);
}

test("what the person does themselves is approved; a model that names its call so is not", async () => {
  const people = makeCrowd().people({ answers: "nobody" });
  expect(await people.ask(request({ origin: "person", call: "person-1" }), calm())).toEqual({
    kind: "approve",
    by: "local:ada",
  });
  for (const call of ["person-1", "person-restore-3"])
    expect(await people.ask(request({ call }), calm())).toEqual({ kind: "unanswered", why: "headless" });
});

test("what a person typed and may lose work by is asked of them all the same", async () => {
  const people = makeCrowd().people();
  const asked = request({ origin: "person", confirm: true });
  const outcome = people.ask(asked, calm());
  expect(await Promise.race([outcome, sleep(250)])).toBeUndefined();
  people.answer(asked.nonce, { kind: "deny" });
  expect(await outcome).toMatchObject({ kind: "deny" });
});

test("the first answer wins, in the store too; the others are told who gave it", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request();
  const outcome = people.ask(asked, calm());
  people.answer(asked.nonce, { kind: "deny", reason: "not now" });
  expect(() => elsewhere(crowd, asked, { kind: "approve" }, "local:bob")).toThrow("local:ada denied it");
  expect(await outcome).toMatchObject({ kind: "deny", reason: "not now", by: "local:ada" });
  expect(crowd.store.approval(asked.nonce)?.outcome).toMatchObject({ kind: "deny", by: "local:ada" });
  expect(() => people.answer(asked.nonce, { kind: "approve" })).toThrow("local:ada denied it");
  expect(() => elsewhere(crowd, asked, { kind: "approve" }, "local:bob")).toThrow("local:ada denied it");
});

test("an answer from another process arrives at once", async () => {
  const crowd = makeCrowd();
  const asked = request();
  const outcome = crowd.people({ answers: "elsewhere" }).ask(asked, calm());
  await sleep(30);
  elsewhere(crowd, asked, { kind: "approve" }, "token:ci");
  expect(await outcome).toMatchObject({ kind: "approve", by: "token:ci", answers: [{ by: "token:ci" }] });
});

test("an outcome or an answer that somebody wrote into the store without the key approves nothing", async () => {
  const crowd = makeCrowd();
  const people = crowd.people({ answers: "elsewhere" });
  const asked = request({}, 400);
  const outcome = people.ask(asked, calm());
  const store = crowd.other();
  const good = signAnswer(asked, { kind: "deny" }, { by: "local:ada", at: 1, key: crowd.signer("local:ada") });
  const forged = [
    { ...good, answer: { kind: "approve" as const } },
    signAnswer(asked, { kind: "approve" }, { by: "local:ada", at: 1, key: crowd.signer("local:junior") }),
    signAnswer(asked, { kind: "approve" }, { by: "local:eve", at: 1, key: crowd.signer("local:eve") }),
    signAnswer(request(), { kind: "approve" }, { by: "local:ada", at: 1, key: crowd.signer("local:ada") }),
    signAnswer(
      { ...asked, risk: "L0" },
      { kind: "approve" },
      { by: "local:ada", at: 1, key: crowd.signer("local:ada") },
    ),
  ];
  for (const answer of forged) store.addAnswer(asked.nonce, () => answer);
  expect(await outcome).toEqual({ kind: "expired" });
  const warned = crowd.facts.flatMap((fact) => (fact.type === "notice.given" ? [fact.text] : []));
  expect(warned).toHaveLength(forged.length);
  expect(warned.join("\n")).toMatch(
    /signature does not fit[\s\S]*another key[\s\S]*no registered[\s\S]*another request/,
  );

  const second = request({}, 400);
  const claimed = people.ask(second, calm());
  expect(store.claimApproval(second.nonce, { kind: "approve", by: "local:ada" })).toBe(true);
  expect(await claimed).toEqual({ kind: "expired" });

  const third = request();
  const taken = people.ask(third, calm());
  expect(store.claimApproval(third.nonce, { kind: "deny", by: "local:ada" })).toBe(true);
  store.addAnswer(third.nonce, () =>
    signAnswer(third, { kind: "approve" }, { by: "local:bob", at: 1, key: crowd.signer("local:bob") }),
  );
  expect(await taken).toEqual({ kind: "unanswered", why: "stopped" });
});

test("what is no answer in the store approves nothing and breaks nothing, though it be signed", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request();
  const outcome = people.ask(asked, calm());
  const signed = (answer: unknown) =>
    signAnswer(asked, answer as { kind: "approve" }, { by: "local:bob", at: 1, key: crowd.signer("local:bob") });
  const junk = [null, 1, "x", [], {}, { by: "local:bob" }, signed({ kind: "always" }), signed(null), signed("approve")];
  for (const row of junk) crowd.store.addAnswer(asked.nonce, () => row as SignedAnswer);
  await sleep(250);
  expect(people.awaits(asked.nonce)).toBe(true);
  expect(crowd.facts.filter(({ type }) => type === "notice.given")).toHaveLength(junk.length);
  people.answer(asked.nonce, { kind: "approve" });
  expect(await outcome).toMatchObject({ kind: "approve", by: "local:ada" });
});

test("the role has to suffice, a denial is anybody's", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request({ approver: "senior" });
  const outcome = people.ask(asked, calm());
  const refused = () => people.answer(asked.nonce, { kind: "approve" }, "local:junior");
  expect(refused).toThrow("This needs the approval of a senior; local:junior answers as a developer.");
  expect(() => people.answer(asked.nonce, { kind: "session" })).toThrow("cannot be approved for the whole session");
  people.answer(asked.nonce, { kind: "deny" }, "local:junior");
  expect(await outcome).toMatchObject({ kind: "deny", by: "local:junior" });
});

test("four eyes: whoever asked for the run does not approve, somebody else does", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request({ fourEyes: true });
  const outcome = people.ask(asked, calm());
  expect(() => people.answer(asked.nonce, { kind: "approve" })).toThrow("four_eyes");
  people.answer(asked.nonce, { kind: "approve" }, "local:bob");
  expect(await outcome).toMatchObject({ kind: "approve", by: "local:bob" });
  const own = request({ requester: "token:ci" });
  void people.ask(own, calm());
  expect(() => people.answer(own.nonce, { kind: "approve" }, "token:ci")).toThrow("cannot approve its own request");
  people.leave();
});

test("a quorum gathers different identities; one denial ends it", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request({ quorum: 2 });
  const outcome = people.ask(asked, calm());
  people.answer(asked.nonce, { kind: "approve" });
  expect(() => people.answer(asked.nonce, { kind: "approve" })).toThrow("1 more needed");
  expect(crowd.facts).toContainEqual(
    expect.objectContaining({ type: "approval.counted", by: "local:ada", have: 1, need: 2 }),
  );
  expect(crowd.store.approval(asked.nonce)?.outcome).toBeUndefined();
  elsewhere(crowd, asked, { kind: "approve" }, "local:bob");
  expect(await outcome).toMatchObject({ kind: "approve", by: "local:ada, local:bob" });

  const again = request({ quorum: 2 });
  const denied = people.ask(again, calm());
  people.answer(again.nonce, { kind: "approve" });
  elsewhere(crowd, again, { kind: "deny", reason: "no" }, "token:ci");
  expect(await denied).toMatchObject({ kind: "deny", by: "token:ci", reason: "no" });
});

test("the clock stands still while no surface is connected", async () => {
  const crowd = makeCrowd();
  let connected = false;
  const people = crowd.people({ connected: () => connected });
  const asked = request({}, 350);
  const outcome = people.ask(asked, calm());
  const state = Promise.race([outcome, sleep(700)]);
  expect(await state).toBeUndefined();
  expect(crowd.store.approval(asked.nonce)?.paused).toBe(true);
  expect(crowd.store.openApprovals().map((each) => each.request.nonce)).toEqual([asked.nonce]);
  connected = true;
  const resumed = performance.now();
  expect(await outcome).toEqual({ kind: "expired" });
  expect(performance.now() - resumed).toBeGreaterThan(200);
  expect(() => people.answer(asked.nonce, { kind: "approve" })).toThrow("expired");
});

test("a terminal at which a person sits waits as long as it is open", async () => {
  const crowd = makeCrowd();
  const people = crowd.people({ attended: true });
  const asked = request({}, 20);
  const outcome = people.ask(asked, calm());
  expect(await Promise.race([outcome, sleep(400)])).toBeUndefined();
  people.answer(asked.nonce, { kind: "approve" });
  expect(await outcome).toMatchObject({ kind: "approve" });
});

test("time in which the process was suspended does not count: nobody could have answered", async () => {
  const crowd = makeCrowd();
  const people = crowd.people();
  const asked = request({}, 2_600);
  const outcome = people.ask(asked, calm());
  await sleep(150);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  expect(await Promise.race([outcome, sleep(150)])).toBeUndefined();
  people.answer(asked.nonce, { kind: "approve" });
  expect(await outcome).toMatchObject({ kind: "approve" });
});

test("every wait ends: by time, by the signal, by leaving", async () => {
  const people = makeCrowd().people();
  expect(await people.ask(request({}, 20), calm())).toEqual({ kind: "expired" });
  const controller = new AbortController();
  const stopped = people.ask(request(), controller.signal);
  const question = people.question("q1", controller.signal);
  controller.abort();
  expect(await stopped).toEqual({ kind: "unanswered", why: "stopped" });
  expect(await question).toBeUndefined();
  expect(await people.ask(request(), controller.signal)).toMatchObject({ why: "stopped" });
  const left = [people.ask(request(), calm()), people.question("q2", calm())];
  people.leave();
  expect(await Promise.all(left)).toEqual([{ kind: "unanswered", why: "stopped" }, undefined]);
  expect(() => people.answerQuestion("q2", "yes")).toThrow("no longer open");
});
