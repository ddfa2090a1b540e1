// What a frozen plan allows, and what it does not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { syntaxDigest } from "../../src/guard/assess/shell/syntax-digest.ts";
import { decide } from "../../src/guard/decide.ts";
import { egressGrant, unbounded } from "../../src/guard/fence/egress.ts";
import { underPlan } from "../../src/guard/planned.ts";
import type { DecideContext } from "../../src/guard/ports.ts";
import type { Assessment, Effect } from "../../src/protocol/effect.ts";
import type { Envelope, EnvelopeTerms, TaskRecord } from "../../src/protocol/task.ts";
import { amendment, freeze, sealFields, termsOf } from "../../src/work/task/envelope.ts";
import { context as open } from "../guard/assessments.ts";
import { plan } from "./crew.ts";

const sealed = (): Envelope =>
  sealFields({
    plan: {
      run: [],
      background: [],
      migrate: [],
      seed: [],
      hosts: [],
      dependencies: [],
      ...plan(),
    } as unknown as Envelope["plan"],
    intent: "fix",
    commands: ["npm test", "npm  run lint", "npm test"],
    paths: ["src/round.js"],
    hosts: ["registry.example:443"],
    base: { branch: "main", commit: "c", tree: "t" },
    inputs: { request: "r", map: "m", tree: "t", toolchain: "x" },
    toolchain: [],
    images: [],
    flagged: [],
    lockfiles: [],
    lent: [],
    sampling: { temperature: 0, prompts: "p" },
    strict: false,
  });

const approved = (envelope: Envelope): TaskRecord => ({
  id: "t",
  session: "s",
  state: "IMPLEMENTING",
  request: { text: "x", strict: false, outcome: "merge" },
  startedAt: 0,
  spentMs: 0,
  envelope,
  planApproval: { digest: envelope.digest, nonce: "n", by: "local:ada", at: 0, expires: 1 },
});

test("a plan is frozen only as it was approved: any field that differs, and it is not", () => {
  const envelope = sealed();
  expect(freeze(approved(envelope))).toHaveProperty("frozen");
  for (const key of Object.keys(envelope).filter((name) => name !== "digest") as (keyof Envelope)[]) {
    const changed = {
      ...envelope,
      [key]: key === "strict" ? true : key === "intent" ? "develop" : [{ other: 1 }],
    } as Envelope;
    expect(freeze(approved(changed)), key).toHaveProperty("why");
  }
  expect(
    freeze({ ...approved(envelope), planApproval: { digest: "other", nonce: "", by: "", at: 0, expires: 1 } }),
  ).toHaveProperty("why");
});

test("amendments hang on the plan and on each other by hash", () => {
  const task = approved(sealed());
  const allowed = { what: "more", paths: ["b.js"], commands: [], hosts: [], by: "local:ada" };
  const first = amendment(task, allowed);
  const second = amendment({ ...task, amendments: [first] }, { ...allowed, paths: ["c.js"] });
  expect(freeze({ ...task, amendments: [first, second] })).toHaveProperty("frozen");
  expect(termsOf({ ...task, amendments: [first, second] })?.paths).toEqual(["src/round.js", "b.js", "c.js"]);
  for (const broken of [[second], [second, first], [{ ...first, paths: ["d.js"] }], [first, first]])
    expect(freeze({ ...task, amendments: broken })).toHaveProperty("why");
});

test("a command is known by its syntax tree: blanks do not count, words and what stands between them do", () => {
  expect(syntaxDigest("npm   test")).toBe(syntaxDigest(" npm test "));
  const others = [
    "npm test",
    "npm test;",
    "npm test x",
    "npm tes",
    "npm test && npm test",
    "npm test > out",
    "A=1 npm test",
    "(npm test)",
    "npm test &",
    "npm test |cat",
    "npm 'test",
    "npm $(test)",
  ];
  expect(new Set(others.map(syntaxDigest)).size).toBeGreaterThanOrEqual(others.length - 1);
});

const terms = termsOf({ envelope: sealed() });
const context = (more: Partial<DecideContext> = {}): DecideContext => ({
  ...open(),
  workspace: "/w",
  ...(terms && { task: terms }),
  ...more,
});
const judged = (more: Partial<Assessment>): Assessment => ({
  effects: [],
  risk: "L2",
  reasons: [],
  digest: "d",
  tags: [],
  ...more,
});
const write = (target: string): Effect => ({ kind: "write", target, undo: "reversible" });

test("what is planned is answered at any autonomy, what is not is an amendment, and strict refuses it", () => {
  for (const autonomy of [0, 1, 2, 3, 4, 5] as const) {
    const at = context({ autonomy });
    expect(decide(judged({ effects: [write("/w/src/round.js")] }), at).verdict).not.toBe("ask");
    expect(decide(judged({ tags: ["process"], command: syntaxDigest("npm run lint") }), at).verdict).not.toBe("ask");
    expect(decide(judged({ effects: [write("/w/src/other.js")] }), at)).toMatchObject({
      verdict: "ask",
      rule: "envelope.amendment",
    });
    expect(decide(judged({ tags: ["process"], command: syntaxDigest("npm run other") }), at).verdict).toBe("ask");
    const strict = context({ autonomy, ...(terms && { task: { ...terms, strict: true } }) });
    expect(decide(judged({ effects: [write("/w/src/other.js")] }), strict).verdict).toBe("deny");
  }
});

test("hosts of the plan are those of its commands, and of no other; what a command names besides is an amendment", () => {
  const task = { ...(terms as EnvelopeTerms), amended: [syntaxDigest("npm ci")] };
  const shell = (command: string) => ({ kind: "shell" as const, command, background: false });
  const seen = (command: string, effects: Effect[] = []) =>
    underPlan(shell(command), judged({ tags: ["process"], effects, risk: "L1" }), task);
  const grant = (assessment: Assessment) =>
    egressGrant(assessment, { workspace: "/w", text: () => undefined }, { ...unbounded, always: ["a.example"], task });
  const planned = seen("npm  test");
  expect([planned.risk, planned.effects]).toMatchObject(["L2", [{ kind: "network", target: "registry.example:443" }]]);
  expect(grant(planned)).toEqual({ hosts: ["registry.example:443"], anyPublic: false });
  expect(decide(planned, context({ task })).rule).toBe("envelope");
  expect(decide(planned, context({ task, tainted: true })).verdict).toBe("ask");
  const named: Effect = { kind: "network", target: "other.example", undo: "irreversible" };
  expect(decide(seen("npm test", [named]), context({ task })).rule).toBe("envelope.amendment");
  const installs: Effect = { kind: "execute", target: "npm", part: "npm ci", undo: "irreversible" };
  const amended = { ...seen("npm ci", [installs]), risk: "L2" as const, tags: ["install", "process"] };
  expect(decide(amended, context({ task })).rule).toBe("envelope");
  expect(grant(amended)?.hosts).toContain("a.example");
  expect(seen("npm test x").effects).toEqual([]);
  const offline = { ...task, hosts: [] };
  expect(
    egressGrant(
      { ...amended, command: planned.command ?? "" },
      { workspace: "/w", text: () => undefined },
      { ...unbounded, task: offline },
    ),
  ).toBeUndefined();
});

test("no plan lifts a limit: L3, policy and taint stay, whatever is planned", () => {
  const effect = fc.record<Effect>({
    kind: fc.constantFrom("write", "delete", "execute", "network", "vcs"),
    target: fc.constantFrom("/w/src/round.js", "/w/x", "registry.example:443", "/etc/passwd"),
    undo: fc.constantFrom("reversible", "irreversible"),
  });
  const command = fc.option(fc.constantFrom(...(terms?.commands ?? [])), { nil: undefined });
  fc.assert(
    fc.property(fc.array(effect, { maxLength: 3 }), command, fc.constantFrom(0, 2, 5), (effects, known, autonomy) => {
      const assessment = judged({ effects, ...(known !== undefined && { command: known }) });
      expect(decide({ ...assessment, risk: "L3" }, context({ autonomy: autonomy as 0 })).verdict).toBe("deny");
      const reaching = { ...assessment, tags: ["network"] };
      expect(decide(reaching, context({ autonomy: autonomy as 0, tainted: true })).verdict).toMatch(/ask|deny/);
    }),
  );
});
