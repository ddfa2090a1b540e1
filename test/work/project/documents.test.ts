// Documents of projects: what is written is read back as it was, whatever words stand in it, and those of others are read.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contextText,
  discussionText,
  readContext,
  readDiscussion,
} from "../../../src/work/project/formats/context-document.ts";
import {
  projectText,
  readProject,
  readRequirements,
  requirementsText,
  roadmapText,
  successCriteria,
} from "../../../src/work/project/formats/new-project.ts";
import { patternsText, readPatterns } from "../../../src/work/project/formats/patterns-document.ts";
import { planText, readPlan } from "../../../src/work/project/formats/plan-document.ts";
import { parseRequirements } from "../../../src/work/project/formats/requirements.ts";
import { parseRoadmap } from "../../../src/work/project/formats/roadmap.ts";
import { oneLine } from "../../../src/work/project/formats/sections.ts";
import { readSpec, specText } from "../../../src/work/project/formats/spec-document.ts";
import { readUat, type UatDocument, uatText } from "../../../src/work/project/formats/uat-document.ts";
import { readValidation, validationText } from "../../../src/work/project/formats/validation-document.ts";
import { draws } from "../../support/draws.ts";

const at = "2026-05-04T03:02:01.000Z";

/** One line of words that would mean something in Markdown, YAML or the tags of plans. */
const piece = fc.constantFrom(
  ...[
    "a",
    "login",
    "Übung",
    "|",
    "\\|",
    "# x",
    "**b**",
    "`c`",
    "- d",
    "1. e",
    "[x]",
    "<task>",
    "</action>",
    "&lt;task>",
    "&amp;lt;done>",
  ],
  ...[
    '"',
    "'",
    "b:",
    "{",
    "}",
    "&",
    "<",
    ">",
    "x/y.ts",
    "@z",
    "---",
    "~~~",
    "```",
    "D-07",
    "✓",
    "null",
    "true",
    "01",
    "\\",
    "$&",
  ],
);
const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `w ${parts.join(" ")} z`);
/** What code has checked before: paths, ids, commands. */
const path = fc.constantFrom("src/a.ts", "src/b/c.ts", "test/a.test.ts", "README.md", "a b/ü.ts");
const id = fc.constantFrom("AUTH-01", "AUTH-02", "PAY-10");
const several = <T>(one: fc.Arbitrary<T>, most = 3) => fc.array(one, { maxLength: most });
/** Any words at all, also of several lines; the forms of answers let none through that show nothing. */
const wild = fc
  .oneof(
    line,
    fc.string({ maxLength: 40 }),
    fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n")),
  )
  .filter((words) => oneLine(words) !== "");

const same = async <T>(made: fc.Arbitrary<T>, write: (value: T) => string, read: (text: string) => T | Promise<T>) => {
  await fc.assert(
    fc.asyncProperty(made, async (value) => {
      expect(await read(write(value))).toEqual(value);
      expect(await read(write(value).replaceAll("\n", "\r\n"))).toEqual(value);
    }),
    { numRuns: draws(100) },
  );
};
const stable = async <T>(
  made: fc.Arbitrary<T>,
  write: (value: T) => string,
  read: (text: string) => T | Promise<T>,
) => {
  await fc.assert(
    fc.asyncProperty(made, async (value) => {
      const text = write(value);
      expect(write(await read(text))).toBe(text);
    }),
    { numRuns: draws(100) },
  );
};

const task = (words: fc.Arbitrary<string>) =>
  fc.record({
    type: fc.constantFrom("auto", "checkpoint:decision"),
    ...{
      name: words,
      files: several(path),
      readFirst: several(path),
      action: words,
      verify: words,
      acceptance: several(words),
    },
    ...{ done: words, instructions: words },
  });
const plan = (words: fc.Arbitrary<string>) =>
  fc.record({
    ...{
      phase: fc.constantFrom("03-login", "12.1-hot-fix"),
      plan: fc.constantFrom("01", "12"),
      type: fc.constantFrom("execute", "tdd"),
    },
    ...{
      wave: fc.integer({ min: 1, max: 9 }),
      dependsOn: several(fc.constantFrom("03-01", "03-02")),
      files: several(path),
    },
    ...{ deleted: several(path), autonomous: fc.boolean(), requirements: several(id), gapClosure: fc.boolean() },
    userSetup: several(words),
    mustHaves: fc.record({
      truths: several(words),
      artifacts: several(
        fc.record(
          {
            path,
            provides: words,
            minLines: fc.integer({ min: 1, max: 99 }),
            exports: several(fc.constantFrom("a", "b")),
            contains: words,
          },
          { requiredKeys: ["path", "provides"] },
        ),
      ),
      keyLinks: several(
        fc.record({ from: path, to: path, via: words, pattern: words }, { requiredKeys: ["from", "to", "via"] }),
      ),
    }),
    ...{
      objective: words,
      context: several(path),
      tasks: several(task(words)),
      verification: several(words),
      success: several(words),
    },
    threats: several(
      fc.tuple(fc.constant("T-01"), words, words, fc.constant("mitigate"), words).map((row): string[] => row),
    ),
  });

test("property: a plan is read as it was written, its head is YAML, and no words of a planner open or close a part of it", async () => {
  await same(plan(line), planText, readPlan);
  await stable(plan(wild), planText, readPlan);
});

const pairs = (words: fc.Arbitrary<string>) => several(fc.record({ what: words, why: words }));
test("property: what a project begins with is read as it was written, also by what reads other people's files", async () => {
  const project = (words: fc.Arbitrary<string>) =>
    fc.record({
      ...{
        name: words,
        what: words,
        value: words,
        active: several(words),
        validated: several(words),
        excluded: pairs(words),
      },
      context: words,
      constraints: several(fc.record({ kind: fc.constantFrom("Tech stack", "Budget"), what: words, why: words })),
      decisions: several(fc.record({ choice: words, why: words, outcome: fc.constantFrom("✓ Good", "— Pending") })),
    });
  const write = (value: ReturnType<typeof readProject>) => projectText(value, at, "begin");
  await same(project(line), write, readProject);
  await stable(project(wild), write, readProject);
  const group = (words: fc.Arbitrary<string>) =>
    several(
      fc.record({ category: words, items: fc.array(fc.record({ id, text: words }), { minLength: 1, maxLength: 3 }) }),
    );
  const requirements = fc.record({
    project: line,
    value: line,
    now: group(line),
    later: group(line),
    excluded: pairs(line),
  });
  const phases = new Map([["AUTH-01", "2"]]);
  await same(requirements, (value) => requirementsText(value, phases, at), readRequirements);
  fc.assert(
    fc.property(requirements, (value) => {
      const found = parseRequirements(requirementsText(value, phases, at)).map((each) => [
        each.id,
        each.phases.includes("2"),
      ]);
      const wanted = [...new Set(value.now.flatMap(({ items }) => items.map((item) => item.id)))];
      expect(found).toEqual(wanted.map((each) => [each, each === "AUTH-01"]));
    }),
    { numRuns: draws(100) },
  );
  const phase = fc.record({ name: line, goal: line, requirements: several(id), success: several(line) });
  fc.assert(
    fc.property(fc.array(phase, { minLength: 1, maxLength: 4 }), line, (given, words) => {
      const made = given.map((each, place) => ({
        ...each,
        number: String(place + 1),
        dependsOn: place === 0 ? [] : [String(place)],
      }));
      const text = roadmapText({ project: words, overview: words, phases: made });
      const read = parseRoadmap(text);
      expect(read.twice).toEqual([]);
      expect(read.phases.map(({ number, goal, requirements: ids }) => [number, goal, ids])).toEqual(
        made.map((each) => [each.number, each.goal, each.requirements]),
      );
      for (const each of made) expect(successCriteria(text, each.number)).toEqual(each.success);
    }),
    { numRuns: draws(100) },
  );
});

test("property: context, discussion, specification, patterns, validation and acceptance are read as they were written", async () => {
  const decision = (words: fc.Arbitrary<string>) =>
    fc.record(
      {
        id: fc.constantFrom("D-01", "D-12"),
        text: words,
        undoing: fc.record({ rating: fc.constantFrom("costly" as const, "one-way" as const), why: words }),
      },
      { requiredKeys: ["id", "text"] },
    );
  const context = (words: fc.Arbitrary<string>) =>
    fc.record({
      ...{ phase: fc.constantFrom("3", "2.1"), name: words, boundary: words },
      areas: several(fc.record({ name: words, decisions: fc.array(decision(words), { minLength: 1, maxLength: 3 }) })),
      ...{
        discretion: several(words),
        references: several(fc.record({ path, why: words })),
        code: words,
        specifics: words,
      },
      deferred: several(words),
    });
  await same(context(line), (value) => contextText(value, at), readContext);
  await stable(context(wild), (value) => contextText(value, at), readContext);
  const area = fc.record({
    name: line,
    options: several(fc.record({ name: line, what: line })),
    choice: line,
    notes: line,
  });
  const log = fc.record({
    phase: fc.constant("3"),
    name: line,
    areas: several(area),
    discretion: several(line),
    deferred: several(line),
  });
  await same(log, (value) => discussionText(value, at), readDiscussion);
  const share = fc.integer({ min: 0, max: 100 }).map((each) => each / 100);
  const spec = fc.record({
    ...{
      phase: fc.constant("3"),
      name: line,
      goal: line,
      background: line,
      inScope: several(line),
      outOfScope: pairs(line),
    },
    requirements: several(
      fc.record({
        label: fc.constantFrom("Login", "Log out"),
        statement: line,
        current: line,
        target: line,
        acceptance: line,
      }),
    ),
    ...{ constraints: several(line), acceptance: several(line) },
    clarity: fc.record({ goal: share, boundary: share, constraint: share, acceptance: share }),
    interview: several(fc.record({ round: fc.integer({ min: 1, max: 6 }), question: line, decision: line })),
  });
  await same(spec, (value) => specText(value, at), readSpec);
  const lines = fc
    .array(fc.constantFrom("code();", "```", "# no heading", "", "  | a |"), { minLength: 1, maxLength: 4 })
    .map((all) => ["x", ...all, "y"].join("\n"));
  const analog = fc.record({
    path,
    from: fc.constant(3),
    to: fc.constant(9),
    match: fc.constantFrom("exact" as const, "partial" as const),
    excerpt: lines,
  });
  const file = fc.record(
    { path, role: fc.constant("route"), flow: fc.constant("CRUD"), note: line, analog },
    { requiredKeys: ["path", "role", "flow", "note"] },
  );
  const patterns = fc.record({
    ...{
      phase: fc.constant("3"),
      name: line,
      files: fc.uniqueArray(file, { selector: (each) => each.path, maxLength: 3 }),
    },
    shared: several(fc.record({ name: line, path, applies: line })),
  });
  await same(patterns, (value) => patternsText(value, at), readPatterns);
  const command = fc.constantFrom("npm test -- login", "", "sh -c 'a | b'");
  const row = fc.record({
    ...{
      id: fc.constant("03-01-01"),
      plan: fc.constant("03-01"),
      wave: fc.integer({ min: 1, max: 5 }),
      requirements: several(id),
      command,
    },
    status: fc.constantFrom("pending" as const, "green" as const, "red" as const, "flaky" as const),
  });
  const validation = fc.record({
    ...{
      phase: fc.constant("3"),
      slug: fc.constant("login"),
      status: fc.constantFrom("draft", "validated"),
      compliant: fc.boolean(),
    },
    ...{ quick: command, full: command, tasks: several(row) },
    manual: several(fc.record({ behaviour: line, requirement: line, how: line })),
  });
  await same(validation, (value) => validationText(value, at), readValidation);
  const uat = (words: fc.Arbitrary<string>): fc.Arbitrary<UatDocument> =>
    fc.record({
      status: fc.constantFrom("testing" as const, "partial" as const, "complete" as const, "diagnosed" as const),
      ...{ phase: fc.constant("03-login"), source: several(path), started: fc.constant(at) },
      tests: several(
        fc.record(
          {
            ...{
              name: words,
              expected: words,
              result: fc.constantFrom("pending" as const, "pass" as const, "issue" as const),
            },
            ...{ reported: words, severity: fc.constantFrom("major" as const, "blocker" as const), reason: words },
          },
          { requiredKeys: ["name", "expected", "result"] },
        ),
      ),
      gaps: several(
        fc.record({
          ...{
            truth: words,
            reason: words,
            severity: fc.constant("minor" as const),
            test: fc.constant(1),
            cause: words,
          },
          ...{ artifacts: several(words), missing: several(words) },
        }),
      ),
    });
  await same(uat(line), (value) => uatText(value, at), readUat);
  await stable(uat(wild), (value) => uatText(value, at), readUat);
});
