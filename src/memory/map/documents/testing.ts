import type { MapFile } from "../../../protocol/project-map.ts";
import type { Codebase } from "../codebase.ts";
import type { Manifests } from "../manifests.ts";
import { bullets, code, counted, document, number, place, said } from "../markdown.ts";

const frameworks =
  /^(?:vitest|jest|@jest\/\w+|mocha|ava|tap|node:test|bun:test|@playwright\/test|playwright|cypress|pytest|unittest|hypothesis|testing|testify|rspec|minitest|org\.junit.*|junit|phpunit|PHPUnit|fast-check|proptest|quickcheck|gtest\/gtest\.h|catch2.*|xunit|nunit)$/i;

/** What tests are written with, where they lie, and which sources they cover. */
export function testing(codebase: Codebase, { commands, dependencies }: Manifests): string {
  const tests = codebase.files.filter(({ kind, lines }) => kind === "test" && lines > 0);
  const sources = codebase.files.filter(({ kind, lines }) => kind === "source" && lines > 0);
  const covered = sources.filter((file) => file.tests.length > 0);
  const mocks = codebase.habits.get("mocks") ?? [];
  const runs = commands.filter(({ name, command }) => /test|spec|check|coverage/i.test(`${name} ${command}`));
  return document("Testing Patterns", "A test counts for a source that it is named for or imports.", [
    { title: "Test Framework", lines: bullets([...frameworksOf(tests), ...declared(dependencies)]) },
    {
      title: "Run Commands",
      lines: bullets(
        runs.map(
          ({ name, command, manifest: path, line }) => `${code(name)}: ${code(command)} (${place({ path, line })})`,
        ),
      ),
    },
    { title: "Test File Organization", lines: bullets(organization(tests), 20) },
    {
      title: "Mocking",
      lines: bullets(
        counted(
          mocks,
          ({ text }) => /\b(?:vi|jest|sinon)\.\w+|mock\.patch|@patch|monkeypatch|gomock|Mockito/.exec(text)?.[0],
        ).map(([form, all]) => `${code(form)}: ${number(all.length, "place")}${all[0] ? `, as ${place(all[0])}` : ""}`),
      ),
    },
    { title: "Fixtures and Factories", lines: bullets(fixtures(codebase.files), 12) },
    {
      title: "Coverage",
      lines:
        sources.length === 0
          ? []
          : [
              `- ${covered.length} of ${number(sources.length, "source file")} have a test that is named for them or imports them`,
              ...bullets(most(covered), 10),
            ],
    },
  ]);
}

const frameworksOf = (tests: readonly MapFile[]): string[] =>
  counted(
    tests.flatMap(({ path, packages }) =>
      packages.filter((name) => frameworks.test(name)).map((name) => ({ name, path })),
    ),
    ({ name }) => name,
  ).map(
    ([name, all]) => `${code(name)}: imported by ${number(all.length, "test file")}, as ${code(all[0]?.path ?? "")}`,
  );

const declared = (dependencies: Manifests["dependencies"]): string[] =>
  dependencies
    .filter(({ name }) => frameworks.test(name))
    .map(
      ({ name, version, manifest, line }) =>
        `${code(`${name} ${version}`.trim())} (${place({ path: manifest, line })})`,
    );

const organization = (tests: readonly MapFile[]): string[] =>
  counted(tests, ({ path }) => path.split("/").slice(0, -1).join("/") || ".").map(([folder, all]) => {
    const first = all.find(({ summary }) => summary !== "");
    const told = first ? `; as ${code(first.path)}: ${said(first.summary)}` : "";
    return `${code(`${folder}/`)}: ${number(all.length, "test file")}, ${number(
      all.reduce((sum, each) => sum + each.lines, 0),
      "line",
    )}${told}`;
  });

const fixtures = (files: readonly MapFile[]): string[] =>
  counted(
    files,
    ({ path }) =>
      /^(.*?(?:^|\/)(?:fixtures?|factories|testdata|__mocks__|support|conftest\.py))(?:\/|$)/.exec(path)?.[1],
  ).map(([folder, all]) => `${code(folder)}: ${number(all.length, "file")}`);

const most = (covered: readonly MapFile[]): string[] =>
  covered
    .toSorted((a, b) => b.tests.length - a.tests.length || (a.path < b.path ? -1 : 1))
    .slice(0, 10)
    .map(({ path, tests }) => `${code(path)}: ${number(tests.length, "test")}, as ${code(tests[0] ?? "")}`);
