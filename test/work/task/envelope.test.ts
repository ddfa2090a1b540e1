// What a frozen plan allows, and what it does not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { syntaxDigest } from "../../../src/guard/command-line/syntax/syntax-digest.ts";
import { decide } from "../../../src/guard/decide.ts";
import { egressGrant, unbounded } from "../../../src/guard/fence/egress.ts";
import { underPlan } from "../../../src/guard/assess/planned.ts";
import type { DecideContext } from "../../../src/guard/contract/ports.ts";
import type { Assessment, Effect } from "../../../src/protocol/effect.ts";
import type { Envelope, EnvelopeTerms, TaskRecord } from "../../../src/protocol/task.ts";
import { digestOf } from "../../../src/base/digest.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { holds } from "../../../src/work/task/machine/invariants.ts";
import { amendment, freeze, sealFields, termsOf } from "../../../src/work/task/machine/envelope.ts";
import { context as open } from "../../guard/assessments.ts";
import { plan } from "./crew.ts";

const sealed = (): Envelope =>
  sealFields({
    plan: {
      run: [],
      background: [],
      migrate: [],
      seed: [],
      verification: [],
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
    copied: [],
    sampling: { temperature: 0, prompts: "p" },
    strict: false,
  });

/** Every field holds something. */
const full = (): Envelope => {
  const { commands, digest: _, ...rest } = sealed();
  return sealFields({
    ...rest,
    commands: commands.map(({ text }) => text),
    toolchain: [{ name: "node", version: "24" }],
    images: [{ name: "ci.yml", version: "ubuntu-24.04" }],
    flagged: [
      { ecosystem: "npm", name: "x", flags: ["odd"], opinion: { verdict: "SUSPICIOUS", reason: "never heard of" } },
    ],
    lockfiles: [{ path: "package-lock.json", digest: "l" }],
    lent: ["node_modules"],
    copied: ["dist"],
    hooks: [{ name: "pre-commit", command: "./hook", path: "hook", digest: "h" }],
  });
};

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

/** Every place in it, arrays and all. */
function placesIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(at.length > 0 ? [at] : []), ...inner.flatMap(([key, each]) => placesIn(each, [...at, key]))];
}

function changedAt(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((each, index) => (index === key ? changedAt(each, rest) : each));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: changedAt(record[key], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "string") return `${value} `;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? [...value, "more"] : { ...(value as object), more: 1 };
}

test("a plan is frozen only as it was approved: whatever single place of it differs, its hash does and it is not", () => {
  const envelope = full();
  expect(freeze(approved(envelope))).toHaveProperty("frozen");
  const { digest, ...open } = envelope;
  const places = placesIn(open);
  expect(new Set(places.map(([key]) => key))).toEqual(new Set(Object.keys(open)));
  for (const place of places) {
    const changed = { ...(changedAt(open, place) as object), digest } as Envelope;
    expect(freeze(approved(changed)), place.join(".")).toHaveProperty("why");
    expect(digestOf({ ...(changed as object), digest: undefined }), place.join(".")).not.toBe(digest);
  }
  for (const missing of Object.keys(open)) {
    const { [missing as keyof Envelope]: _, ...less } = envelope;
    expect(freeze(approved(less as Envelope)), missing).toHaveProperty("why");
  }
  expect(
    freeze({ ...approved(envelope), planApproval: { digest: "other", nonce: "", by: "", at: 0, expires: 1 } }),
  ).toHaveProperty("why");
});

test("an approval is good for a day: after that nothing is begun on it, and what was begun goes on", async () => {
  const around = (now: number) => ({ repository: new Repository("/nowhere"), now });
  const task = approved(full());
  expect(await holds("plan signed and frozen", task, around(1))).toBeUndefined();
  expect(await holds("plan signed and frozen", task, around(2))).toBe("The approval has expired");
  const begun = { ...task, worktree: { folder: "/w", branch: "b", head: "c" } };
  expect(await holds("plan signed and frozen", begun, around(2))).toBeUndefined();
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

test("one token, one path, one host more is an amendment; allowed once, it is that and nothing wider", () => {
  const lines = ["npm test", "npm run lint", "sh -c 'npm test'", "node --test 'a b'"];
  const made = sealFields({ ...full(), commands: lines });
  const task = termsOf({ envelope: made }) as EnvelopeTerms;
  const ruleOf = (command: string, at: EnvelopeTerms = task) =>
    decide(judged({ tags: ["process"], command: syntaxDigest(command) }), context({ task: at })).rule;
  const token = fc.constantFrom("x", "--watch", "a/b", ">out", "&& true", "| cat", ";id", "$(id)", "&", "#x y");
  fc.assert(
    fc.property(fc.constantFrom(...lines), token, fc.boolean(), (line, more, front) => {
      const other = front ? `${more} ${line}` : `${line} ${more}`;
      if (syntaxDigest(other) === syntaxDigest(line)) return;
      expect(ruleOf(other)).toBe("envelope.amendment");
    }),
  );
  for (const line of lines) expect(ruleOf(line)).not.toBe("envelope.amendment");
  const one = amendment(
    { envelope: made },
    { what: "x", paths: ["b.js"], commands: [syntaxDigest("npm run x")], hosts: ["h.example"], by: "me" },
  );
  const wider = termsOf({ envelope: made, amendments: [one] }) as EnvelopeTerms;
  expect(ruleOf("npm run x", wider)).toBe("envelope");
  expect(ruleOf("npm run x y", wider)).toBe("envelope.amendment");
  const at = (path: string) => decide(judged({ effects: [write(path)] }), context({ task: wider })).rule;
  expect([at("/w/b.js"), at("/w/b.jsx"), at("/w/b.js/c")]).toEqual([
    "envelope",
    ...Array(2).fill("envelope.amendment"),
  ]);
  const reach = (target: string) =>
    decide(
      judged({ effects: [{ kind: "network", target, undo: "irreversible" }], tags: ["network"] }),
      context({ task: wider }),
    ).rule;
  expect([reach("h.example"), reach("h.example:8080"), reach("x.h.example")]).toEqual([
    ...["envelope", "envelope.amendment", "envelope.amendment"],
  ]);
});

test("a lockfile that the plan names is still not written by hand", () => {
  const made = sealFields({ ...full(), commands: [], paths: ["package-lock.json", "src/a.js"] });
  expect(termsOf({ envelope: made })?.paths).toEqual(["src/a.js"]);
  const allowed = amendment(
    { envelope: made },
    { what: "x", paths: ["package-lock.json"], commands: [], hosts: [], by: "me" },
  );
  expect(termsOf({ envelope: made, amendments: [allowed] })?.paths).toContain("package-lock.json");
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
