// Documents of projects in the forms of other programs, and those whose form is asked of a model.
import fc from "fast-check";
import { expect, test } from "vitest";
import { viewOf } from "../../../src/work/project/facts/view.ts";
import { bindingDecisions, readContext } from "../../../src/work/project/formats/context-document.ts";
import {
  projectText,
  requirementsText,
  roadmapText,
  stateText,
} from "../../../src/work/project/formats/new-project.ts";
import { readPlan } from "../../../src/work/project/formats/plan-document.ts";
import {
  formProblems,
  formText,
  openQuestions,
  phaseResearch,
  projectResearch,
  researchText,
  resolved,
} from "../../../src/work/project/formats/research-document.ts";
import { openTests, readUat } from "../../../src/work/project/formats/uat-document.ts";

const at = "2026-05-04T03:02:01.000Z";

test("plans, contexts and acceptance tests in the forms of other programs are read, also half of them", async () => {
  const theirs = `---\r\nphase: 01-shop\r\nplan: 2\r\ntype: tdd\r\nwave: 2\r\ndepends_on: [01-01]\r\nfiles_modified:\r\n  - src/cart.ts\r\nautonomous: false\r\nrequirements: [SHOP-01]\r\nuser_setup:\r\n  - service: stripe\r\n    why: "Payments"\r\nmust_haves:\r\n  truths:\r\n    - "A person sees the cart"\r\n  artifacts:\r\n    - path: "src/cart.ts"\r\n      provides: "the cart"\r\n      min_lines: 20\r\n  key_links:\r\n    - from: "src/app.ts"\r\n      to: "src/cart.ts"\r\n      via: "import"\r\n---\r\n<objective>\r\nThe cart\r\n</objective>\r\n<context>\r\n@.planning/PROJECT.md\r\n@src/app.ts\r\n</context>\r\n<tasks>\r\n<task type="auto" tdd="true">\r\n  <name>Task 1: Add</name>\r\n  <files>src/cart.ts, test/cart.test.ts</files>\r\n  <action>Add it</action>\r\n  <verify>\r\n    <automated>npm test -- cart</automated>\r\n  </verify>\r\n  <done>It adds</done>\r\n</task>\r\n<task type="checkpoint:human-verify" gate="blocking">\r\n  <what-built>A cart</what-built>\r\n  <how-to-verify>Look</how-to-verify>\r\n</task>\r\n</tasks>\r\n<success_criteria>\r\n- [ ] green\r\n</success_criteria>\r\n`;
  expect(await readPlan(theirs)).toMatchObject({
    ...{
      plan: "02",
      type: "tdd",
      dependsOn: ["01-01"],
      files: ["src/cart.ts"],
      autonomous: false,
      context: ["src/app.ts"],
    },
    userSetup: ["stripe: Payments"],
    mustHaves: { artifacts: [{ path: "src/cart.ts", minLines: 20 }], keyLinks: [{ to: "src/cart.ts" }] },
    tasks: [
      { name: "Task 1: Add", verify: "npm test -- cart", files: ["src/cart.ts", "test/cart.test.ts"] },
      { instructions: "A cart\nLook" },
    ],
    success: ["green"],
  });
  // Whatever is cut off, it is read without a throw.
  for (let end = 0; end < theirs.length; end += 37) await readPlan(theirs.slice(0, end));
  const context =
    "# Phase 1: Shop - Context\n\n<decisions>\n## Implementation Decisions\n\n### Cart\n- **D-01:** One cart — **Reversibility:** [one-way] — a migration\n- **D-02**: Euros [informational]\n\n### Claude's Discretion\nColours\n\n</decisions>\n";
  const read = readContext(context);
  expect(read.areas).toEqual([
    {
      name: "Cart",
      decisions: [
        { id: "D-01", text: "One cart", undoing: { rating: "one-way", why: "a migration" } },
        { id: "D-02", text: "Euros [informational]" },
      ],
    },
  ]);
  expect(bindingDecisions(read).map(({ id: each }) => each)).toEqual(["D-01"]);
  const uat =
    '---\nstatus: partial\nphase: 01-shop\n---\n## Tests\n\n### 1. Cart\nexpected: |\n  A person sees\n  the cart\nresult: [pending]\n\n## Gaps\n\n```yaml\n- truth: "x"\n  severity: blocker\n  test: 1\n  artifacts:\n    - path: a.ts\n      issue: wrong\n```\n';
  expect(await readUat(uat)).toMatchObject({
    ...{ status: "partial", tests: [{ name: "Cart", expected: "A person sees the cart", result: "pending" }] },
    gaps: [{ truth: "x", severity: "blocker", artifacts: ["a.ts: wrong"], missing: [] }],
  });
  expect(openTests(await readUat(uat))).toHaveLength(1);
  expect((await readUat("## Gaps\n- truth: [\n")).gaps).toEqual([]);
});

test("open questions of a research are found, answered where they stand, and prose is one", () => {
  const text =
    "# R\r\n\r\n## Open Questions\r\n\r\n1. **Which hash?**\r\n   - What we know: two\r\n2. Cache — RESOLVED: none\r\n- How long?\r\n\r\n## Sources\r\n\r\n- a\r\n";
  expect(openQuestions(text).map(({ question }) => question)).toEqual(["Which hash?", "How long?"]);
  const one = resolved(text, new Map([["Which hash?", "sha256"]]));
  expect(one).toBe(text.replace("**Which hash?**", "**Which hash?** — RESOLVED: sha256"));
  expect(openQuestions(one).map(({ question }) => question)).toEqual(["How long?"]);
  const all = resolved(one, new Map([["How long?", "an hour"]]));
  expect([openQuestions(all), all.includes("## Open Questions (RESOLVED)\r\n"), all.endsWith("- a\r\n")]).toEqual([
    [],
    true,
    true,
  ]);
  expect(openQuestions("## Open Questions\n\nNone.\n")).toEqual([]);
  expect(openQuestions("## Open Questions\n\nWe do not know the port.\n")).toHaveLength(1);
  expect(openQuestions("# R\n")).toEqual([]);
  const form = { needed: ["Summary", "Sources"] };
  expect(formProblems("## Summary\n\n## Sources\n- x\n", form)).toEqual(['the section "## Summary" is empty']);
  const answer =
    "```markdown\n---\nx: 1\n---\n# Title\n\n## Summary\n\nGood.\n\n### More\n\n<<<<<<< ours\n\n## Sources\n- x\n```";
  expect(formProblems(answer, form)).toEqual([]);
  expect(researchText("Phase 1 - Research", answer, at)).toBe(
    "# Phase 1 - Research\n\n**Researched:** 2026-05-04\n\n## Summary\n\nGood.\n\n### More\n\n <<<<<<< ours\n\n## Sources\n\n- x\n",
  );
});

test("property: what is under a heading of research stands in the document, however deep its headings are", () => {
  const marks = fc.constantFrom("#", "##", "###", "####");
  const section = fc.tuple(marks, fc.constantFrom("Summary", "Sources", "Research", "More"), fc.boolean());
  fc.assert(
    fc.property(fc.array(section, { maxLength: 8 }), (parts) => {
      const text = parts
        .map(([mark, title, full], at) => `${mark} ${title}\n${full ? `word-${at}.\n` : ""}`)
        .join("\n");
      const written = researchText("T", text, at);
      // The first heading may be the answer's own title, and what is said under it an introduction.
      for (const [place, [, , full]] of parts.entries())
        if (full && place > 0) expect(written).toContain(`word-${place}.`);
      const levels = parts.map(([mark]) => mark.length);
      const flat = levels.every((level) => level === levels[0]);
      const whole = (name: string) => parts.find(([, title]) => title === name)?.[2] === true;
      if (flat && whole("Summary") && whole("Sources"))
        expect(formProblems(text, { needed: ["Summary", "Sources"] })).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("a project that has just been written has nothing wrong with it, and its first phase comes next", async () => {
  const phases = [
    {
      number: "1",
      name: "Login",
      goal: "People log in",
      dependsOn: [],
      requirements: ["AUTH-01"],
      success: ["A person logs in"],
    },
    {
      number: "2",
      name: "Pay",
      goal: "People pay",
      dependsOn: ["1"],
      requirements: ["PAY-01"],
      success: ["A person pays"],
    },
  ];
  const items = (id: string, text: string) => ({ category: id.slice(0, 4), items: [{ id, text }] });
  const words = {
    name: "Shop",
    what: "A shop",
    value: "Selling",
    context: "",
    active: [],
    validated: [],
    excluded: [],
    constraints: [],
    decisions: [],
  };
  const texts = new Map([
    ["PROJECT.md", projectText(words, at, "begin")],
    [
      "REQUIREMENTS.md",
      requirementsText(
        {
          project: "Shop",
          value: "Selling",
          now: [items("AUTH-01", "Log in"), items("PAY-01", "Pay")],
          later: [],
          excluded: [],
        },
        new Map([
          ["AUTH-01", "1"],
          ["PAY-01", "2"],
        ]),
        at,
      ),
    ],
    ["ROADMAP.md", roadmapText({ project: "Shop", overview: "First in, then pay.", phases })],
    ["STATE.md", stateText({ milestone: "v1.0", value: "Selling", first: "Login", phases: 2 }, at)],
  ]);
  const view = await viewOf({ present: true, texts, folders: [], unreadable: [] });
  expect(view).toMatchObject({ name: "Shop", milestone: "v1.0", problems: [], next: { step: "discuss", phase: "1" } });
  expect(view.requirements.map(({ id, phases: of }) => [id, of])).toEqual([
    ["AUTH-01", ["1"]],
    ["PAY-01", ["2"]],
  ]);
});

test("each form of research names its sections, and an answer that follows it has no problem", () => {
  for (const form of [phaseResearch, ...Object.values(projectResearch)]) {
    expect(form.needed.length).toBeGreaterThan(3);
    expect(formProblems(formText(form), form)).toHaveLength(form.needed.length);
    expect(formProblems(form.needed.map((title) => `## ${title}\n\nWords.\n`).join("\n"), form)).toEqual([]);
  }
});
