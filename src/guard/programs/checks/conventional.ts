// Commands that are checks in nearly every project of their kind.
import type { CheckKind } from "./check-tool.ts";
import { toolOf } from "./table.ts";

const runner = "(npm run|npm run-script|pnpm run|pnpm|yarn run|yarn|bun run)";

const conventional: readonly [RegExp, CheckKind][] = [
  [/^(npm|pnpm|yarn|bun) (run )?(test|t)$/, "test"],
  [
    new RegExp(
      `^${runner} (test|tests|spec|unit|e2e|check|coverage|cover|cov|verify|ci|integration|smoke|jest|vitest|mocha|ava|tap|jasmine|karma|cypress|playwright|tsd|attw|unit-?tests?|test-\\w+|[a-z]+[:-](test|tests|check|unit|e2e)|snap|posttest|pretest|bench|benchmark|perf)([:-](?!.*(publish|deploy|push|release))[\\w:-]+)?$`,
    ),
    "test",
  ],
  [
    new RegExp(
      `^${runner} (lint|eslint|format:check|fmt:check|format-check|prettier:check|stylelint|style|knip|check-format|lint-check|tslint|oxlint|biome|prettier|format|fmt|fix|lintfix|lint-fix|style-check|depcheck|publint|cspell|spell|spellcheck|markdownlint|commitlint|standard|xo|pretty|prettify|prelint|postlint|fix:\\w+|(docs|code|js|ts|css|md):(lint|format|fmt))([:-](?!.*publish)[\\w:-]+)?$`,
    ),
    "lint",
  ],
  [
    new RegExp(
      `^${runner} (typecheck|type-check|types|tsc|check-types|check:types|typescript|ts:check|type|typings|tscheck|ts-check|check-ts|flow|arethetypeswrong|svelte-check)([:-][\\w:-]+)?$`,
    ),
    "types",
  ],
  [
    new RegExp(
      `^${runner} (build|compile|bundle|prebuild|postbuild|transpile|dist|rollup|webpack|vite|esbuild|tsup|babel|docs|doc|typedoc|generate|gen|codegen|typegen|copy|assemble|minify|uglify|prepack|rebuild|(docs|site|web|app|lib|core|packages?|wasm|css|js|client|server|esm|cjs)[:-]build)([:-](?!.*(publish|deploy|push))[\\w:-]+)?$`,
    ),
    "build",
  ],
  [
    /^(python3? -m )?(pytest|unittest)( discover)?$|^(npx |pnpm exec |yarn )?(jest|vitest|vitest run|mocha|ava|tap)$|^(tox|nox|ctest|phpunit|rspec|busted|bats)$|^\.?\/?vendor\/bin\/phpunit$|^bundle exec (rspec|rake test|rake spec|rake)$|^(rails|bin\/rails|\.\/bin\/rails) test$|^python3? manage\.py (test|check)$|^(poetry|uv|pdm|hatch|pipenv) run (python -m )?pytest$|^hatch test$/,
    "test",
  ],
  [
    /^(cargo (test|t|nextest run|bench)|go test|node --test|deno test|bun test|dotnet test|swift test|flutter test|dart test|mix test|zig build test|stack test|cabal test|lein test|sbt test|rebar3 (eunit|ct)|composer test|gradle (test|check)|(\.\/)?gradlew (test|check)|(\.\/)?mvnw? (test|verify)|mvn -q test|bazel test \/\/\.\.\.|ant test|rake( test| spec)?|just test|task test)$/,
    "test",
  ],
  [/^make (test|tests|check|unittest|unit|spec|ci|verify|test-[\w-]+|coverage)$/, "test"],
  [
    /^make (lint|fmt-check|format-check|vet|style)$|^(npx |pnpm exec |yarn )?(eslint|prettier --check|prettier -c|stylelint|biome (check|lint|ci)|oxlint|standard|xo)( \.)?$|^(ruff check|ruff format --check|flake8|pylint|black --check|isort --check|isort --check-only|bandit -r|rubocop|golangci-lint run|staticcheck|cargo clippy|cargo fmt --check|cargo fmt -- --check|go vet|gofmt -l|hlint|credo|mix format --check-formatted|mix credo|pre-commit run|pre-commit run --all-files|composer lint|phpcs|phpstan analyse|ktlint|swiftlint|detekt|clang-format --dry-run)( \.)?$/,
    "lint",
  ],
  [
    /^(npx |pnpm exec |yarn )?(tsc --noEmit|tsc -p \. --noEmit|tsc -b --noEmit|vue-tsc --noEmit|svelte-check|attw|flow check)$|^(mypy|pyright|pyre check|ty check|basedpyright)( \.)?$|^make (typecheck|types|mypy)$|^cargo check$|^python3? -m mypy( \.)?$|^mix dialyzer$/,
    "types",
  ],
  [
    /^(make|make all|make build|cargo build|cargo build --release|go build|go build \.\/\.\.\.|npx tsc|tsc|tsc -b|tsc -p \.|(\.\/)?gradlew build|gradle build|(\.\/)?mvnw? (compile|package)|dotnet build|swift build|zig build|stack build|cabal build|cmake --build build|mix compile|ninja|ninja -C build|just build|task build|flutter analyze|dart analyze|python3? -m build)$/,
    "build",
  ],
];

/** What kind of check the words are by convention; undefined for anything else. */
export function conventionalCheck(command: string): { kind: CheckKind; changed: string[] } | undefined {
  const found = conventional.find(([pattern]) => pattern.test(command));
  if (found) return { kind: found[1], changed: [] };
  const words = command.replace(/ \*$/, "").split(" ");
  const tool = toolOf(words);
  return tool?.length === words.length && (command.endsWith(" *") || !tool.tool.needs)
    ? { kind: tool.tool.kind, changed: [] }
    : undefined;
}
