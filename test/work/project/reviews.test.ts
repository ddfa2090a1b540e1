// Steps that look at what is there: what agents say is held against the repository, and what code cannot confirm is not taken for shown.
import { afterAll, expect, test } from "vitest";
import { type AgentScript, sections } from "../../scenarios/project-agents.ts";
import { plannedProject as project } from "./planned.ts";
import { removeShared, ScriptedProject } from "./scripted-world.ts";

afterAll(removeShared);

const item = (more: object = {}) => ({
  title: "Floors",
  state: "warning",
  place: "src/floor.js:1",
  evidence: "1.5 → 1",
  action: "add half",
  ...more,
});
const folder = "phases/01-whole-numbers/01-";
const text = ({ texts }: ScriptedProject, name: string): string => texts.get(`${folder}${name}.md`) ?? "";

test("a review tells places that do not exist, counts its findings, and mends those that matter, each by a task", async () => {
  const items = [
    item(),
    item({ title: "Gone", place: "src/gone.js:3", state: "critical" }),
    item({ title: "Real", place: "src/floor.js", state: "critical" }),
    item({ title: "Far", place: "./src/floor.js:900", state: "info", evidence: "# Not a heading\n---\nphase: 9" }),
  ];
  const one = await project({ "code reviewer": () => ({ summary: "Two faults.", items }) });
  const end = await one.run("code-review", ["1"]);
  expect([end.exit ?? 0, end.text]).toEqual([
    0,
    expect.stringMatching(
      /4 findings in phase 1 \(2 critical, 1 warning, 1 info\).*2 findings to mend: fettle project code-review 1 --fix$/,
    ),
  ]);
  expect(one.told.join("\n")).toMatch(/Gone: there is no file src\/gone\.js[^]*Far: .*src\/floor\.js has 1 line/);
  const review = text(one, "REVIEW");
  expect(review).toMatch(/^---\nphase: "1"\n[^]*status: issues_found\n[^]*critical: 2\nwarning: 1\ninfo: 1\n---\n/);
  expect(review).toContain("> # Not a heading");
  expect(one.asked.at(-1)?.text).toContain("- src/round.js");
  await one.run("code-review", ["1"], { fix: true, files: "src/floor.js" });
  expect(one.tasks).toHaveLength(2);
  expect(one.tasks[0]).toContain("Where: src/floor.js:1");
  expect(text(one, "REVIEW-FIX")).toMatch(/\nfixed: 2\nleft: 0\nnot_fixed: 0\n/);
  expect(new Set(one.sources)).toEqual(new Set([`.planning/${folder}REVIEW.md`]));
  // A place that is not there is nobody's work.
  expect(one.tasks.join("\n")).not.toContain("Gone");
  one.failing = /Real/;
  expect(await one.run("code-review", ["1"], { fix: true, files: "src" })).toMatchObject({ exit: 1, over: true });
  expect(new Set(one.names).size, "the same finding is the same task, another one is another").toBe(2);
  expect((await one.run("code-review", ["1"], { depth: "endless" })).exit).toBe(2);
});

test.each([
  { step: "secure", claim: "closed", agent: "security auditor", document: "SECURITY", without: "open" },
  { step: "validate", claim: "covered", agent: "verifier", document: "TEST-COVERAGE", without: "missing" },
  { step: "eval-review", claim: "covered", agent: "eval auditor", document: "EVAL-REVIEW", without: "missing" },
])(
  "$step: nothing is $claim that no place in the repository shows",
  async ({ step, claim, agent, document, without }) => {
    const items = [
      item({ title: "Shown: ROUND-01, T-01-01-01", state: claim, place: "src/floor.js:1" }),
      item({ title: "Elsewhere", state: claim, place: "test/none.test.js" }),
      item({ title: "Nowhere", state: claim, place: "" }),
    ];
    const one = await project({ [agent]: () => ({ summary: "All is well.", items }) });
    // An open threat fails; a missing test is told.
    expect((await one.run(step, ["1"])).exit ?? 0).toBe(step === "secure" ? 1 : 0);
    const written = text(one, document);
    expect(written).toMatch(new RegExp(`\\n${claim}: 1\\n`));
    expect(written).toMatch(new RegExp(`\\n${without}: 2\\n`));
    expect(written).toContain(`called ${claim} without a place that shows it`);
  },
);

test("a threat is closed by a line that does something, or by a document", async () => {
  const places = ["src/floor.js:1", "src/floor.js", "src/index.js:1", "README.md"];
  const items = places.map((place, at) => item({ title: `T-01-01-0${at + 1}`, state: "closed", place }));
  const one = await project({ "security auditor": () => ({ summary: "All is well.", items }) });
  const end = await one.run("secure", ["1"]);
  const rows = (end.data as { findings: { place: string; state: string; doubt?: string }[] }).findings;
  expect(rows.map(({ place, state, doubt = "" }) => `${place} ${state} ${doubt}`.trim())).toEqual([
    "src/floor.js:1 closed",
    "src/floor.js open called closed without a place that shows it: src/floor.js is named without a line",
    "src/index.js:1 open called closed without a place that shows it: line 1 of src/index.js only imports",
    "README.md closed",
  ]);
  expect(end.text).toMatch(/\(2 closed, 2 open\)[^]*2 of the open ones at or above high/);
});

test("what nobody has looked at does not pass: an agent that says little is asked for the rest, and silence is not consent", async () => {
  const half = await project({
    verifier: ({ visit, told }) => ({
      summary: "Some.",
      items: [
        visit === 1 || !told.includes("You have said nothing of these")
          ? item({ title: "ROUND-011", state: "covered" })
          : item({ title: "For round-01 there is a test", state: "covered" }),
      ],
    }),
    "security auditor": () => ({ summary: "All is well.", items: [item({ title: "Another", state: "closed" })] }),
    "ui auditor": () => ({ summary: "Fine.", items: [item({ title: "Words and Color", state: "4" })] }),
    "ui researcher": ({ told }) => sections(told.split("Your last contract")[0] ?? told),
    "ui checker": () => ({ findings: [] }),
  });
  expect((await half.run("validate", ["1"])).exit ?? 0).toBe(0);
  expect(half.asked.at(-1)?.text).toContain("answer for them alone: ROUND-01");
  expect(text(half, "TEST-COVERAGE")).toMatch(/\ncovered: 2\n[^]*missing: 0\n/);
  expect(await half.run("secure", ["1"])).toMatchObject({ exit: 1, over: true, data: { blocking: 1 } });
  expect(text(half, "SECURITY")).toContain("security-auditor says nothing of it");
  await half.run("ui-review", ["1"]);
  expect(text(half, "UI-REVIEW")).toMatch(/\n"?1"?: 4\n[^]*4"?: 1\n/);
  expect(await half.run("ui-phase", ["1"])).toMatchObject({ exit: 1, over: true, data: { status: "blocked" } });
  for (const step of ["secure", "validate", "ui-review", "eval-review"]) {
    const none = await project(
      Object.fromEntries(
        ["security auditor", "verifier", "ui auditor", "eval auditor"].map((name) => [
          name,
          () => ({ summary: "All is well.", items: [] }),
        ]),
      ),
    );
    expect([step, (await none.run(step, ["1"])).exit]).toEqual([step, 1]);
  }
});

test("an agent that answers nonsense ends each of these steps, and nothing is written", async () => {
  const all = [
    ...[
      "code reviewer",
      "security auditor",
      "verifier",
      "ui auditor",
      "eval auditor",
      "doc synthesizer",
      "ui researcher",
    ],
    ...["framework selector", "integration checker", "debug session manager", "interviewer"],
  ];
  const nonsense = Object.fromEntries(all.map((name) => [name, () => "I think so."]));
  for (const [step, words] of [
    ...["code-review", "secure", "validate", "ui-review", "eval-review", "learnings", "ui-phase", "ai-phase"].map(
      (name) => [name, "1"] as const,
    ),
    ...([
      ["audit-milestone", "v1"],
      ["debug", "1.5 becomes 1"],
      ["explore", "offline"],
    ] as const),
  ]) {
    const one = await project(nonsense);
    const before = [...one.texts.keys()];
    const end = await one.run(step, [words]);
    expect([step, end.exit, end.text]).toEqual([step, 1, expect.stringContaining("no answer that can be used")]);
    expect([...one.texts.keys()], step).toEqual(before);
  }
});

test("a contract is sent back with what blocks it, at most three times, and says what is left", async () => {
  const block = { dimension: "words", verdict: "block", why: "The button says OK.", change: "Say what it does." };
  const passed = ["visuals", "colour", "type", "spacing", "registries"].map((dimension) => ({
    ...{ dimension, verdict: "pass", why: "It does." },
  }));
  const scripts = (stubborn: boolean) => ({
    "ui researcher": ({ told, visit }: { told: string; visit: number }) =>
      sections(told.split("Your last contract")[0] ?? told, { Spacing: `Scale ${visit}` }),
    "ui checker": ({ visit }: { visit: number }) => ({
      findings: [visit === 1 || stubborn ? block : { ...block, verdict: "pass" }, ...passed],
    }),
  });
  const one = await project(scripts(false));
  expect((await one.run("ui-phase", ["1"])).exit ?? 0).toBe(0);
  expect(
    one.asked
      .filter(({ agent }) => agent === "ui-researcher")
      .map(({ text: told }) => told.includes("The button says OK.")),
  ).toEqual([false, true]);
  expect(text(one, "UI-SPEC")).toMatch(/status: approved[^]*\| words \| pass \| The button says OK\. \|/);
  one.answers = ["no"];
  expect((await one.run("ui-phase", ["1"])).text).toContain("keeps its UI-SPEC.md");
  const other = await project(scripts(true));
  expect((await other.run("ui-phase", ["1"])).exit).toBe(1);
  expect([other.asked.filter(({ agent }) => agent === "ui-checker").length, text(other, "UI-SPEC")]).toEqual([
    3,
    expect.stringContaining("status: blocked"),
  ]);
});

test("an AI contract has a part of each of its agents, or is not written", async () => {
  const scripts: Record<string, AgentScript> = {
    "framework selector": () => ({
      framework: "Plain calls",
      why: "One call is enough.",
      alternatives: [{ name: "Graph", when: "it loops" }],
    }),
    "ai researcher": ({ told }) => sections(told),
    "domain researcher": ({ told }) => sections(told),
    "eval planner": ({ told }) => sections(told.split("Entry Point")[0] ?? told),
  };
  const one = await project(scripts);
  expect((await one.run("ai-phase", ["1"])).text).toContain("with Plain calls");
  for (const title of ["Framework", "Entry Point", "Domain Criteria", "Guardrails"])
    expect(text(one, "AI-SPEC")).toContain(`## ${title}`);
  const less = await project({ ...scripts, "domain researcher": () => "no" });
  expect([(await less.run("ai-phase", ["1"])).exit, text(less, "AI-SPEC")]).toEqual([1, ""]);
});

test("an audit counts only what evidence shows, and its gaps become a phase when a person agrees", async () => {
  const joints = [
    item({ title: "floor is used", state: "joined", place: "src/floor.js:1" }),
    item({ title: "round is used", state: "joined", place: "" }),
  ];
  const one = await project({ "integration checker": () => ({ summary: "Mostly.", items: joints }) });
  const end = await one.run("audit-milestone", ["1.0"]);
  expect([end.exit, end.text]).toEqual([1, expect.stringContaining("fettle project plan-gaps v1.0")]);
  const audit = one.texts.get("v1.0-MILESTONE-AUDIT.md") ?? "";
  expect(audit).toMatch(
    /Phase 1 \(Whole numbers\) is planned, not verified[^]*ROUND-01 is not shown by evidence[^]*round is used/,
  );
  one.texts.set(
    `${folder}UAT.md`,
    "---\nstatus: diagnosed\n---\n\n### 1. Round\nresult: issue\n\n### 2. Two\nresult: skipped\n",
  );
  one.kept.clear();
  const reviewer = { summary: "Bad.", items: [item({ title: "It floors", state: "critical" })] };
  const reviewed = new ScriptedProject({ "code reviewer": () => reviewer }, Object.fromEntries(one.texts));
  await reviewed.run("code-review", ["1"]);
  one.texts.set(`${folder}REVIEW.md`, text(reviewed, "REVIEW"));
  await one.run("audit-milestone", ["1.0"]);
  const open = (one.texts.get("v1.0-MILESTONE-AUDIT.md") ?? "")
    .split("\n")
    .filter((line) => line.startsWith("- Phase 1, "));
  expect(open).toEqual([
    `- Phase 1, critical finding, not mended: It floors (.planning/${folder}REVIEW.md)`,
    `- Phase 1, acceptance test failed: Round (.planning/${folder}UAT.md)`,
  ]);
  one.answers = ["no"];
  expect((await one.run("plan-gaps", ["1.0"])).exit).toBe(5);
  one.kept.clear();
  one.answers = ["yes"];
  expect((await one.run("plan-gaps", ["1.0"])).text).toMatch(/Phase \d+ closes them/);
  expect(one.texts.get("ROADMAP.md")).toContain("Close the gaps of v1.0");
  expect((await one.run("plan-gaps", ["2.0"])).exit).toBe(2);
  const many = Array.from({ length: 30 }, (_, at) => `- Gap ${at} ${"x".repeat(60)}`).join("\n");
  one.texts.set("v3.0-MILESTONE-AUDIT.md", `# Audit\n\n## Gaps\n\n${many}\n`);
  await one.run("plan-gaps", ["3.0"], { auto: true });
  expect(one.texts.get("ROADMAP.md")).toMatch(/x{60}; \d+ more gaps: \.planning\/v3\.0-MILESTONE-AUDIT\.md/);
});

test("an idea is asked about until it is clear, and becomes what the person says", async () => {
  const one = await project({
    interviewer: ({ visit }) => ({
      question: visit === 1 ? "For whom?" : "",
      options: ["me", "all"],
      summary: "Rounding without a network.",
      kind: "todo",
    }),
  });
  one.answers = ["me", "perhaps", "seed"];
  expect((await one.run("explore", ["offline"])).text).toBe("Written down as a seed: Rounding without a network.");
  expect(one.asked.at(-1)?.text).toContain("The person answered: me");
  expect(one.questions.at(-1)).toContain('"perhaps" is not an answer');
  expect([...one.texts.keys()].some((name) => name.startsWith("seeds/"))).toBe(true);
});

test("settings switch each command off, choose the depth, and say which open threat fails", async () => {
  const found = (state: string, severity: string) => () => ({
    summary: "One.",
    items: [item({ title: "T-01-01-01", state, severity })],
  });
  const scripts = {
    ...{ "code reviewer": found("info", ""), "security auditor": found("open", "medium") },
    ...{ verifier: found("covered", ""), "ui auditor": found("4", "") },
  };
  for (const [step, setting] of [
    ["code-review", "code_review"],
    ["secure", "security_enforcement"],
    ["validate", "nyquist_validation"],
    ["ui-review", "ui_review"],
    ["ui-phase", "ui_phase"],
    ["ai-phase", "ai_integration_phase"],
  ] as const) {
    const off = await project(scripts, { workflow: { [setting]: false } });
    expect([step, (await off.run(step, ["1"])).exit, off.asked]).toEqual([step, 2, []]);
  }
  const files = { files: "src/floor.js" };
  const deep = await project(scripts, { workflow: { code_review_depth: "deep" } });
  await deep.run("code-review", ["1"], files);
  await deep.run("code-review", ["1"], { ...files, depth: "quick" });
  expect(deep.asked.map(({ text: told }) => /depth "(\w+)"/.exec(told)?.[1])).toEqual(["deep", "quick"]);
  for (const [least, exit] of [
    ["high", 0],
    ["medium", 1],
    ["none", 0],
    ["no such word", 0],
  ] as const) {
    const one = await project(scripts, { workflow: { security_block_on: least, security_asvs_level: 2 } });
    expect([least, (await one.run("secure", ["1"])).exit ?? 0]).toEqual([least, exit]);
    expect(one.asked[0]?.text).toContain("ASVS level 2");
  }
});
