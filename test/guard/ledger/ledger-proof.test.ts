// What nobody with the key has written is never called proven, however many honest sessions come after it.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../../../src/base/canonical.ts";
import { jsonOf } from "../../../src/base/json-text.ts";
import { link } from "../../../src/base/chain.ts";
import { handover } from "../../../src/guard/ledger/handover.ts";
import { type Ledger, ledgerHead, openLedger, verifyLedger } from "../../../src/guard/ledger/ledger.ts";
import { appendHandovers, readHandovers } from "../../../src/io/journal/handovers.ts";
import { keyPairReader, knownPublicKey, replaceKeyPair } from "../../../src/io/journal/key.ts";
import { knownHeadFile, readKnownHead } from "../../../src/io/journal/known-head.ts";
import { openStore, type Store } from "../../../src/io/store/store.ts";
import type { AuditReport } from "../../../src/protocol/query.ts";
import { keepLines, linesOf, rechained, standAlone, writePairs } from "./ledger-support.ts";
import { startChild, until } from "../../io/support/state.ts";
import { draws } from "../../support/draws.ts";
import { temporaryFolder } from "../../support/folders.ts";

const noKeychain = { read: () => undefined, write: () => false };
const day = 24 * 60 * 60 * 1000;

class World {
  readonly root = temporaryFolder();
  readonly project = path.join(this.root, "projects", "p");
  readonly folder = path.join(this.project, "ledger");
  readonly told: string[] = [];
  days = 0;

  session<T>(work: (ledger: Ledger, store: Store) => T): T {
    const store = openStore(path.join(this.project, "state.db"));
    const { root, folder, told } = this;
    const ledger = openLedger({
      ...{ folder, store, actor: "ann", segmentBytes: 6000, clock: () => Date.now() + this.days * day },
      ...{ key: keyPairReader(root), handovers: () => readHandovers(root), knownHead: knownHeadFile(root, "p") },
      tell: (text) => void told.push(text),
    });
    try {
      return work(ledger, store);
    } finally {
      ledger.close();
      store.close();
    }
  }

  honest(pairs: number): void {
    this.session((ledger) => {
      writePairs(ledger, pairs);
      ledger.seal("session.end");
    });
  }

  async killed(): Promise<void> {
    const { child, output, ended } = startChild("write-ledger", [this.root]);
    await until(() => output().split("\n").length > 4);
    child.kill("SIGKILL");
    await ended;
  }

  rotate(): void {
    const tell = (from: Parameters<typeof handover>[0], to: Parameters<typeof handover>[0]) =>
      appendHandovers(this.root, [canonical(handover(from, to, 1))]);
    this.honest(1);
    replaceKeyPair(this.root, tell, noKeychain);
    this.honest(1);
  }

  async report(): Promise<AuditReport> {
    const apart = readKnownHead(knownHeadFile(this.root, "p"));
    const publicKey = knownPublicKey(this.root);
    const store = openStore(path.join(this.project, "state.db"));
    const head = ledgerHead(store);
    store.close();
    const known = { ...(apart && { apart }), ...(publicKey && { publicKey }), ...(head && { head }) };
    return verifyLedger(this.folder, known);
  }

  /** A process that was killed between an entry and the head that knows it looks as if that entry had been cut. */
  known(): number {
    return readKnownHead(knownHeadFile(this.root, "p"))?.seq ?? 0;
  }

  segments(): string[] {
    const names = readdirSync(this.folder).filter((name) => /^\d+\.jsonl$/.test(name));
    return names.sort().map((name) => path.join(this.folder, name));
  }

  /** Without the head row: fettle makes it up from the files. */
  forgetRow(): void {
    const store = openStore(path.join(this.project, "state.db"));
    store.database.run("delete from ledger_head");
    store.close();
  }
}

const forget = ({ sig: _, key: __, ...entry }: Record<string, unknown>): object =>
  entry["kind"] === "checkpoint" ? { ...entry, kind: "note", name: "x", data: {} } : { ...entry, actor: "mallory" };

const seqOf = (line: string): number => Number((jsonOf(line) as { seq?: number } | undefined)?.seq);

/** What somebody without the key does between two sessions. Answers which entry is the first that is not as it was. */
const attacks: Record<string, (world: World) => number | undefined> = {
  rechainAll(world) {
    for (const file of world.segments().slice(1)) rmSync(file);
    const [file = ""] = world.segments();
    const lines = rechained(linesOf(file), 0, forget);
    keepLines(file, lines);
    rmSync(path.join(world.folder, "checkpoints.jsonl"), { force: true });
    world.forgetRow();
    return 1;
  },
  append(world) {
    const file = world.segments().at(-1) ?? "";
    const lines = linesOf(file);
    const last = JSON.parse(lines.at(-1) ?? "{}") as { seq: number; hash: string };
    const open = { ...JSON.parse(lines.at(-1) ?? "{}"), kind: "note", name: "forged", data: {}, seq: last.seq + 1 };
    delete open.hash;
    keepLines(file, [...lines, canonical(link(last.hash, open))]);
    return last.seq + 1;
  },
  changeLast(world) {
    const file = world.segments().at(-1) ?? "";
    const lines = linesOf(file);
    const from = Math.max(0, lines.length - 2);
    const first = JSON.parse(lines[from] ?? "{}") as { seq: number };
    keepLines(file, rechained(lines, from, forget).toSpliced(0, from, ...lines.slice(0, from)));
    if (from === 0) return undefined;
    world.forgetRow();
    return first.seq;
  },
  cutEnd(world) {
    const file = world.segments().at(-1) ?? "";
    keepLines(
      file,
      linesOf(file).filter((line) => seqOf(line) < world.known()),
    );
    rmSync(path.join(world.folder, "checkpoints.jsonl"), { force: true });
    world.forgetRow();
    return undefined;
  },
  removeSegment(world) {
    for (const file of world.segments().toReversed()) {
      const first = seqOf(linesOf(file)[0] ?? "");
      rmSync(file);
      if (first <= world.known()) break;
    }
    rmSync(path.join(world.folder, "checkpoints.jsonl"), { force: true });
    world.forgetRow();
    return undefined;
  },
  garbage(world) {
    const file = world.segments().at(-1) ?? "";
    keepLines(file, [...linesOf(file), "no entry at all"]);
    return undefined;
  },
};

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("session" as const), pairs: fc.integer({ min: 1, max: 8 }) }) },
  fc.record({ kind: fc.constantFrom("killed" as const, "two" as const, "rotate" as const, "retain" as const) }),
);

async function take(world: World, each: { kind: string; pairs?: number }): Promise<void> {
  if (each.kind === "session") world.honest(each.pairs ?? 1);
  if (each.kind === "killed") await world.killed();
  if (each.kind === "rotate") world.rotate();
  if (each.kind === "two") {
    const children = [1, 2].map(() => startChild("write-ledger", [world.root, "4"]).ended);
    expect(await Promise.all(children)).toEqual([0, 0]);
  }
  if (each.kind === "retain") {
    world.days += 30;
    world.session((ledger) => {
      writePairs(ledger, 1);
      ledger.seal("session.end");
      ledger.retain(10);
    });
  }
}

test("honest histories are proven without a gap; what an attack left never is, and is said once", async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...Object.keys(attacks)),
    fc.array(step, { minLength: 1, maxLength: 2 }),
    async (before, attack, after) => {
      const world = new World();
      world.honest(2);
      for (const each of before) await take(world, each);
      const honest = await world.report();
      expect(honest).toMatchObject({ ok: true, signature: "verified" });
      expect([honest.unproven, honest.rolledBack, world.told]).toEqual([undefined, undefined, []]);
      expect(standAlone(world.folder).status).toBe(0);

      const from = attacks[attack]?.(world);
      for (const each of [...after, { kind: "session", pairs: 1 }]) {
        await take(world, each.kind === "retain" ? { kind: "session" } : each);
        const report = await world.report();
        expect(report, attack).toMatchObject({ ok: false });
        expect(report.guarantee).toMatch(/^None/);
        // By the files alone as well, once a session has said it.
        expect(standAlone(world.folder).status, attack).toBe(7);
        if (from === undefined || report.unproven === undefined) continue;
        expect(report.unproven.some((range) => range.from <= from && from <= range.to)).toBe(true);
      }
      expect(world.told.length).toBeLessThanOrEqual(1);
    },
  );
  await fc.assert(property, { numRuns: draws(12) });
}, 240_000);

test("a ledger of which nothing was left is said to be lost once: the next session knows the new one", async () => {
  const world = new World();
  world.honest(2);
  expect(world.segments()).toHaveLength(1);
  attacks["removeSegment"]?.(world);
  for (const pairs of [1, 1, 1]) world.honest(pairs);
  expect(world.told).toHaveLength(1);
  expect(await world.report()).toMatchObject({ ok: false });
});

for (const attack of Object.keys(attacks)) {
  test(`${attack}: the person is told once, and work goes on in a new segment`, async () => {
    const world = new World();
    world.honest(6);
    world.honest(6);
    attacks[attack]?.(world);
    world.honest(1);
    expect(world.told).toHaveLength(1);
    expect(await world.report()).toMatchObject({ ok: false });
    world.honest(2);
    expect(world.told).toHaveLength(1);
    expect(await world.report()).toMatchObject({ ok: false });
    expect(standAlone(world.folder).status).toBe(7);
  });
}

test("everything put back to an older copy is known by the head that is kept apart", async () => {
  const world = new World();
  world.honest(3);
  const copy = path.join(temporaryFolder(), "p");
  cpSync(world.project, copy, { recursive: true });
  world.honest(3);
  rmSync(world.project, { recursive: true });
  cpSync(copy, world.project, { recursive: true });
  const rolledBack = [{ known: expect.any(Number), found: 8 }];
  expect(await world.report()).toMatchObject({ ok: false, rolledBack });
  world.honest(1);
  expect(world.told[0]).toMatch(/its newest known entry is \d+, found was 8/);
  world.honest(1);
  expect(await world.report()).toMatchObject({ ok: false, rolledBack });
  expect(standAlone(world.folder)).toMatchObject({ status: 7, rolledBack });
  expect(world.told).toHaveLength(1);
});

test("the ledger of another project, signed by the same key, is not this one's", async () => {
  const [world, other] = [new World(), new World()];
  world.honest(6);
  cpSync(path.join(world.root, "ledger-key"), path.join(other.root, "ledger-key"));
  other.honest(3);
  rmSync(world.project, { recursive: true });
  cpSync(other.project, world.project, { recursive: true });
  expect((await world.report()).problem).toContain("another ledger's");
  world.honest(1);
  const report = await world.report();
  expect(report).toMatchObject({ ok: false, unproven: [{ from: 1, to: 8 }] });
});

test("a ledger of before entries were signed: its unsigned end is named, never signed, and no attack", async () => {
  const world = new World();
  world.honest(2);
  const [file = ""] = world.segments();
  const old = ({ sig: _, key: __, ...entry }: Record<string, unknown>): object => ({ ...entry, v: 1 });
  keepLines(file, rechained(linesOf(file).slice(0, -1), 0, old));
  for (const name of [path.join(world.folder, "checkpoints.jsonl"), knownHeadFile(world.root, "p")]) rmSync(name);
  world.forgetRow();
  expect(await world.report()).toMatchObject({ ok: true, unproven: [{ from: 1, to: 5, old: true }] });
  world.honest(1);
  const report = await world.report();
  expect(report).toMatchObject({ ok: true, unproven: [{ from: 1, to: 5, old: true }], signature: "verified" });
  expect(report.guarantee).toContain("Unproven: entries 1 to 5");
  expect(standAlone(world.folder)).toMatchObject({ status: 0, unproven: [{ from: 1, to: 5, old: true }] });
  expect([world.told, existsSync(knownHeadFile(world.root, "p"))]).toEqual([[], true]);
});
