import fc from "fast-check";
import { expect, test } from "vitest";
import { runLaterGroups, runsLater } from "../../../src/guard/rules/run-later.ts";
import { assess } from "../../../src/guard/assess/assess.ts";
import { plainWorld } from "./facts.ts";
import runLaterRows from "./run-later.json" with { type: "json" };

/** One kind a row. None of these words was copied from the table: they come from the tools' own documents. */
const kinds = runLaterRows as [string, string][];

test.each(kinds)("others run or obey later: %s", (_kind, names) => {
  const missed = names
    .split(" ")
    .filter((name) => !runsLater(name) || (!runsLater(name.toUpperCase()) && !/^(BUILD|DESCRIPTION)$/.test(name)));
  expect(missed).toEqual([]);
  // Most of these count in any folder; a few words are anybody's below the top.
  const deep = names.split(" ").filter((name) => !runsLater(`packages/one/${name}`));
  expect(deep).toEqual(names.split(" ").filter((name) => /^replit\.md$/.test(name) && deep.includes(name)));
});

test("sources, documents and data are nobody's settings", () => {
  const plain =
    "README.md CHANGELOG.md LICENSE CONTRIBUTING.md docs/guide.md docs/guide/hooks.md docs/rules.md docs/tools.md docs/codex.md docs/makefile.md docs/jest.md src/index.ts src/config.ts src/config/index.ts src/package.ts src/setup.ts src/build.ts src/hooks/use.ts src/deploy/index.ts src/ci/parse.ts src/commands/add.ts src/agents/a.ts src/profile.ts src/update.ts src/crc.js lib/init.lua src/main.rs src/lib.rs cmd/main.go app/models/user.rb src/Main.java include/a.h data/list.json data/users.json data/tasks.json fixtures/settings.json assets/logo.svg index.html styles/a.css notes.txt a.csv a.sql scripts/run.sh scripts/build.py test/a.test.ts tests/test_a.py spec/a_spec.rb test/config.test.ts tsconfig.json tsconfig.build.json .gitignore .dockerignore .editorconfig .gitkeep .env.example .prettierignore .changeset/nice-cat.md build/a.o dist/index.js src build docs .cache/x .pytest_cache/v/x .next/server/a.js openapi.json manifest.json public/robots.txt locales/de.yml".split(
      " ",
    );
  expect(plain.filter((name) => runsLater(name))).toEqual([]);
});

test("property: no spelling that a file system takes for the same name gets past the table", () => {
  const names = kinds.flatMap(([, text]) => text.split(" ")).filter((name) => !/^[A-Z]+$/.test(name));
  const spellings = fc.constantFrom<(name: string) => string>(
    (name) => name.toUpperCase(),
    (name) => `${name}.`,
    (name) => `${name} `,
    (name) => `${name}::$DATA`,
    (name) => `${name.slice(0, 2)}\u200c${name.slice(2)}`,
    (name) => name.replace("k", "\u212a"),
    (name) => name.replace("s", "\u017f"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), spellings, (name, spell) => {
      expect(runsLater(spell(name)), spell(name)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("every group says where its names come from, and what it names is asked about", () => {
  for (const group of runLaterGroups) expect(group.source.length, group.kind).toBeGreaterThan(10);
  for (const name of ["WARP.md", ".kiro/hooks/a.json", "lefthook-local.yml", "a/b/.cirrus.yml"]) {
    const written = assess({ kind: "change", changes: [{ op: "write", path: name, content: "x" }] }, plainWorld);
    expect([written.risk, written.tags.includes("run-later")], name).toEqual(["L2", true]);
  }
});
