// Tools that test, lint, type-check or build, with the options that keep them to that. They run the project's own code and
// configuration, so they count only where the project declares them or they are its ecosystem's own.
import type { CheckTool } from "./check-tool.ts";
import { nodeTools } from "./table-node.ts";

const cargo =
  "-r --release --target: -p: --package: --workspace --all --exclude: --all-targets --all-features -F: --features: --no-default-features -j: --jobs: --manifest-path:r --target-dir:c --profile: --message-format: -q --quiet -v --verbose -vv --locked --offline --frozen --lib --bin: --bins --test: --tests --example: --examples --bench: --benches --doc --no-run --no-fail-fast --keep-going --color: --timings --fix --allow-dirty --allow-staged --no-deps --document-private-items --check --ignored --nocapture --test-threads: --include-ignored --skip: --exact --show-output -Zbuild-std? -D: -W: -A: --cap-lints: --retries: --run-ignored: -E: --config-file:r --partition: --edition:";
const go =
  "-v -race -cover -count: -run: -bench: -benchmem -benchtime: -short -timeout: -tags: -p: -parallel: -failfast -json -coverprofile:w -covermode: -coverpkg: -cpu: -shuffle: -skip: -list: -fuzz: -fuzztime: -o:w -a -n -x -trimpath -mod: -C:r -fix -vet: -work --fix --timeout: --config:r --fast --new --out-format: --enable: --disable: -E: -D: --verbose --build-tags: -l -s -d";
const pytest =
  "-x -v -vv -vvv -q -qq -s -l -k: -m: -n: -r: -rA -ra -rs -rxXs --cov? --cov-report: --cov-config:r --cov-fail-under: --cov-append --no-cov --cov-branch --tb: --lf --last-failed --ff --failed-first --nf --sw --stepwise --maxfail: --durations: --durations-min: --collect-only --co --junitxml:w --junit-xml:w --pdb --trace --strict --strict-markers --strict-config --disable-warnings --no-header --no-summary --capture: --exitfirst --verbose --quiet --showlocals --setup-show --fixtures --markers --runslow --benchmark-only --benchmark-skip --timeout: --reruns: --forked --dist: --numprocesses: --ignore:r --deselect: --color: --doctest-modules --doctest-glob: --asyncio-mode: -W: --import-mode: --html:w --self-contained-html --snapshot-update --no-migrations --reuse-db --create-db --ds: --run-slow --full-trace --cache-clear --failfast -f -b --buffer --locals -t:r -s:r -p: --pattern: --parallel: --keepdb --noinput";

const others: readonly CheckTool[] = [
  {
    commands:
      "cargo test | cargo t | cargo check | cargo c | cargo clippy | cargo build | cargo b | cargo doc | cargo bench | cargo nextest run | cargo fmt",
    kind: "build",
    options: cargo,
    operands: "t*",
    match: [
      "cargo test --workspace",
      "cargo build --release --target x86_64-unknown-linux-gnu",
      "cargo +nightly clippy --all-targets -- -D warnings",
    ],
    notMatch: [
      "cargo test --config target.x.runner=evil",
      "cargo build --target-dir /etc/x",
      "cargo doc --open",
      "cargo publish",
    ],
    except: /linker|runner|rustc-wrapper/,
  },
  {
    commands: "go test | go build | go vet | golangci-lint run | staticcheck | gofmt -l",
    kind: "build",
    options: go,
    operands: "t*",
    match: ["go test -race -count=1 ./...", "go build -o bin/a ./cmd/a"],
    notMatch: [
      "go test -exec ./x ./...",
      "go build -toolexec ./x ./...",
      "go build -o /usr/bin/x .",
      "go test -c -o ../x",
    ],
    except: /^(?!\.{1,2}(?:\/|$)|--?\w)(?:\/|.*\.\.\/)/,
  },
  {
    commands:
      "pytest | py.test | python -m pytest | python3 -m pytest | python -m unittest | python3 -m unittest | python -m unittest discover | python3 -m unittest discover | python manage.py test | python3 manage.py test | ptw",
    kind: "test",
    options: pytest,
    operands: "r*",
    match: ["pytest -x tests/test_a.py::test_b", "python3 -m pytest -k foo", "uv run pytest -q"],
    notMatch: ["pytest --rootdir=/etc", "pytest -c /tmp/x.ini", "pytest /tmp/x.py"],
    except: /^-p=?(?!no:)/,
  },
  {
    commands: "mypy | pyright | basedpyright | pyre check | ty check | python -m mypy | python3 -m mypy | dmypy run",
    kind: "types",
    options:
      "--strict --ignore-missing-imports --config-file:r --install-types --non-interactive --show-error-codes --pretty --no-error-summary --python-version: --platform: --namespace-packages --explicit-package-bases --warn-unused-ignores --follow-imports: --cache-dir:c --no-incremental --txt-report:c --html-report:c --junit-xml:w -p:r -m: --package: --exclude: --no-site-packages --disallow-untyped-defs --check-untyped-defs --verifytypes: --outputjson --warnings --stats --project:r --pythonversion: --level: --skipunannotated -v -V --allow-redefinition --no-strict-optional",
    operands: "r*",
    match: ["mypy --strict src", "pyright src/a.py"],
    notMatch: ["mypy --python-executable ./x src", "mypy /etc"],
  },
  {
    commands:
      "ruff check | ruff format | ruff | black | flake8 | isort | pylint | autopep8 | yapf | pycodestyle | pydocstyle | pyflakes | bandit | vulture | python -m black | python3 -m black | python -m flake8 | python3 -m flake8 | python -m ruff check | python3 -m pylint | python -m pylint | python -m isort | docformatter | interrogate | codespell | djlint | sqlfluff lint",
    kind: "lint",
    options:
      "--fix --unsafe-fixes --show-fixes --check --check-only --diff --quiet -q -v --verbose --select: --extend-select: --ignore: --extend-ignore: --exclude: --extend-exclude: --config:r --line-length: -l: --target-version: -t: --output-format: --format: --statistics --count --show-source --max-line-length: --max-complexity: --no-cache --watch --preview --fast --safe -S --skip-string-normalization --profile: --atomic --recursive -r --in-place -i --aggressive -a --disable: --enable: --rcfile:r -j: --jobs: --reports: --score: --errors-only -E --fail-under: --exit-zero --settings-path:r --skip: -c:r -ll -lll -s: --severity-level: --per-file-ignores: --color --no-color --stdin-filename: --output-file:w -o:w -w --write-changes -f: --min-confidence: --float-to-top --force-exclude --respect-gitignore --workers: --ignore-words-list: -L: --builtin:",
    operands: "r*",
    match: ["ruff check --fix src", "black --check .", "isort --check-only --diff ."],
    notMatch: ["pylint --load-plugins /tmp/x a", "flake8 /etc", "black --frob ."],
  },
  {
    commands:
      "tox | nox | tox run | hatch test | coverage run -m pytest | coverage report | coverage xml | coverage html | coverage combine",
    kind: "test",
    options:
      "-e: -s: -r --recreate -p --parallel -q -v -vv --skip-missing-interpreters? -x: -l --list -m --show-missing --fail-under: --omit: --include: -i --source: --branch -a --append --skip-covered --skip-empty --precision: -d:c -o:w -k: --python:",
    operands: "t*",
    match: ["tox -e py312", "coverage report -m", "nox -s lint"],
    notMatch: ["tox -c /tmp/x.ini", "nox -f /tmp/x.py", "coverage run /tmp/x.py"],
  },
  {
    commands: "make | gmake",
    kind: "build",
    options:
      "-j?: --jobs?: -k --keep-going -s --silent --quiet -B --always-make -O?: --output-sync?: --no-print-directory -w -n --dry-run -l?: -r -R",
    operands: "t*",
    tasks:
      /^(?:all|build|compile|debug|dist|ci|verify|(?:tests?|check|lint|coverage|cov|bench|benchmark|unit|unittest|integration|spec|e2e|style|vet)(?:[-_.]\w[\w-]*)?|fmt|format|docs?|html|typecheck|types|mypy)$/,
    match: ["make -j4 check", "make -s -k test-unit", "make format"],
    notMatch: [
      "make install",
      "make -f /tmp/x test",
      "make -C /tmp test",
      "make SHELL=/tmp/x test",
      "make test deploy",
    ],
  },
  {
    commands: "mvn | ./mvnw | mvnw",
    kind: "build",
    options:
      "-q --quiet -B --batch-mode -o --offline -e --errors -X --debug -T: --threads: -pl: --projects: -am --also-make -amd -rf: -fae -ff -fn -ntp --no-transfer-progress -U -P: -N -V --show-version -DskipTests? -DskipITs? -Dtest: -Dit.test: -DfailIfNoTests? -Dmaven.test.skip? -Dcheckstyle.skip? -Dspotbugs.skip? -Djacoco.skip? -Dstyle.color: -Dsurefire.failIfNoSpecifiedTests? -Dmaven.javadoc.skip? -Dgpg.skip? -Denforcer.skip? -Drat.skip? -Dlicense.skip?",
    operands: "t*",
    match: ["mvn -B -q test", "mvn clean verify", "./mvnw package -DskipTests"],
    notMatch: [
      "mvn deploy",
      "mvn clean",
      "mvn install",
      "mvn exec:java",
      "mvn -s /tmp/x.xml test",
      "mvn -DargLine=-javaagent:x test",
      "mvn -f /tmp/pom.xml test",
    ],
    needs: /^(?!clean$)[a-z]/,
    tasks:
      /^(?:clean|validate|compile|test-compile|test|package|verify|integration-test|process-\w+|dependency:tree|dependency:analyze|checkstyle:check|spotless:check|spotbugs:check|javadoc:javadoc)$/,
  },
  {
    commands: "gradle | ./gradlew | gradlew",
    kind: "build",
    options:
      "-q --quiet -i --info -d --debug -s --stacktrace -S --full-stacktrace --offline --no-daemon --daemon --console: -x: --exclude-task: --tests: --rerun-tasks --build-cache --no-build-cache --parallel --no-parallel --continue --warning-mode: -w --warn --configuration-cache --no-configuration-cache --max-workers: --rerun --refresh-dependencies --stop --status --dry-run -m",
    operands: "t*",
    match: ["./gradlew test --tests FooTest", "gradle clean build -x test", "./gradlew :app:assembleDebug"],
    notMatch: [
      "gradle publish",
      "gradle clean",
      "gradle -I /tmp/x.gradle test",
      "./gradlew run",
      "gradle --scan build",
      "gradle -b /tmp/x.gradle build",
    ],
    needs: /^(?!:?clean$)[a-z:]/,
    tasks:
      /^:?(?:[\w-]+:)*(?:clean|test\w*|check\w*|build|assemble\w*|compile\w*|lint\w*|ktlintCheck|ktlintFormat|spotlessCheck|spotlessApply|detekt|jar|javadoc|classes|testClasses|dependencies|tasks|projects|properties|help|jacocoTestReport|connectedCheck|dokka\w*)$/,
  },
  {
    commands: "dotnet test | dotnet build | dotnet format",
    kind: "build",
    options:
      "-c: --configuration: --no-build --no-restore -v: --verbosity: --filter: --logger: -l: -f: --framework: --nologo -o:c --output:c --verify-no-changes --collect: --results-directory:c -r: --runtime: --blame --no-incremental --severity: --include: --exclude: -warnaserror -t --list-tests",
    operands: "r*",
    match: ["dotnet test --no-build --filter A", "dotnet build -c Release"],
    notMatch: ["dotnet test --test-adapter-path /tmp/x", "dotnet build /etc/x.csproj"],
  },
  {
    commands:
      "rspec | bundle exec rspec | rubocop | bundle exec rubocop | rake test | rake spec | bundle exec rake test | bundle exec rake spec | rails test | bin/rails test | bundle exec rails test | standardrb | bundle exec standardrb | minitest | steep check | srb tc",
    kind: "test",
    options:
      "-f: --format: -e: --example: -t: --tag: --fail-fast? --only-failures --next-failure -b --backtrace --color --no-color --force-color -p --profile? --seed: --order: -P: --pattern: -a -A --auto-correct --autocorrect --autocorrect-all --auto-correct-all --only: --except: --parallel -c:r --config:r -D -d --dry-run -v --verbose -n: -q --quiet --fix -S -E --display-only-fail-level-offenses --fail-level:",
    operands: "r*",
    match: ["bundle exec rspec spec/a_spec.rb:12", "rubocop -A app"],
    notMatch: ["rspec -r /tmp/x", "rubocop --require /tmp/x", "rspec /tmp/x_spec.rb"],
  },
  {
    commands:
      "phpunit | vendor/bin/phpunit | ./vendor/bin/phpunit | pest | vendor/bin/pest | ./vendor/bin/pest | phpstan analyse | vendor/bin/phpstan analyse | psalm | vendor/bin/psalm | phpcs | vendor/bin/phpcs | vendor/bin/pint | ./vendor/bin/pint | php-cs-fixer fix | vendor/bin/php-cs-fixer fix | php artisan test | vendor/bin/rector --dry-run",
    kind: "test",
    options:
      "--filter: --testsuite: --group: --exclude-group: --stop-on-failure --testdox --colors? --coverage-text? --coverage-html:c --coverage-clover:w --no-coverage -c:r --configuration:r -v --verbose --debug -l: --level: --memory-limit: --no-progress --error-format: --standard:r -n -p -s --test --dry-run --diff --config:r --allow-risky: --parallel --no-cache --coverage --min: --show-info: --order-by: --ansi --processes: -q --quiet --report: --extensions: --ignore:",
    operands: "r*",
    match: ["./vendor/bin/phpunit --filter a tests", "vendor/bin/phpstan analyse src"],
    notMatch: ["phpunit --bootstrap /tmp/x.php", "phpunit /tmp/x.php"],
  },
  {
    commands:
      "ctest | meson test | meson compile | ninja | ninja test | cmake --build | swift test | swift build | mix test | mix compile | mix credo | mix format | mix dialyzer | flutter test | flutter analyze | dart test | dart analyze | dart format | zig build test | zig test | zig fmt | stack test | stack build | cabal test | cabal build | lein test | sbt test | sbt compile | rebar3 eunit | rebar3 ct | deno test | deno lint | deno check | deno fmt | bun test | bazel test | bazel build | busted | bats | elm-test | crystal spec | gleam test | dune build | dune test | dune runtest | forge test | forge build | hlint | ormolu | shellcheck | terraform validate | tofu validate",
    kind: "build",
    options:
      "-C:r -j: -R: -E: -L: -V -VV --output-on-failure --test-dir:r --build:r --target: --config: --parallel? -v --verbose -q --quiet --trace --cover --only: --exclude: --seed: --stale --failed --max-failures: --check-formatted --check --strict --coverage --reporter: --name: -n: --plain-name: --concurrency: --filter: --fail-fast? --release --debug -c: --configuration: --watch --no-run --ignore: --fix --set-exit-if-changed --fatal-infos --fatal-warnings -O: --tap --jobs: -t: --timing -r --recursive --no-color --color? --test_output: --test_filter: --keep_going -k --bail? --coverage-dir:c --print-size --doc --all --include: --timeout: -w --write --line-length: -l: --output: --benchmark --rerun-failed --timeout: --no-fail-fast --fast --test-arguments:",
    operands: "r*",
    match: [
      "ctest --test-dir build --output-on-failure",
      "cmake --build build -j 8",
      "mix test test/a_test.exs",
      "bun test src",
      "deno test",
    ],
    notMatch: [
      "deno test -A",
      "ctest -S /tmp/x.cmake",
      "ninja -f /tmp/x",
      "cmake --build /etc",
      "bazel run //x",
      "bun test --preload /tmp/x.ts",
      "sbt run",
    ],
  },
];

export const tools: readonly CheckTool[] = [...nodeTools, ...others];

const byCommand = new Map(
  tools.flatMap((tool) => tool.commands.split(" | ").map((command) => [command, tool] as const)),
);
const most = Math.max(...[...byCommand.keys()].map((command) => command.split(" ").length));

/** Words that only start another tool of the project. */
export const runners =
  /^(?:npx(?: --no-install| --no)?|pnpm exec|pnpm|yarn exec|yarn run|yarn|bunx|bun x|npm exec --|uv run|poetry run|pdm run|hatch run|pipenv run|rye run|\.?\/?node_modules\/\.bin\/)(?: |(?<=\/))/;

/** The tool that the words begin with, and how many words its name takes; the runner's words count. */
export function toolOf(words: readonly string[]): { tool: CheckTool; length: number; name: string } | undefined {
  const line = words.slice(0, most + 3).join(" ");
  const runner = runners.exec(line)?.[0] ?? "";
  const skipped = runner.trim() === "" ? 0 : runner.endsWith("/") ? 0 : runner.trim().split(" ").length;
  const own =
    skipped > 0 || runner === "" ? words.slice(skipped) : [words[0]?.slice(runner.length) ?? "", ...words.slice(1)];
  for (let length = Math.min(most, own.length); length >= 1; length--) {
    const name = own.slice(0, length).join(" ");
    const tool = byCommand.get(name);
    if (tool) return { tool, length: skipped + length, name };
  }
  return undefined;
}

/** Examples that the tools get wrong under `judge`; empty when all hold. */
export function checkTools(judge: (command: string) => string): string[] {
  return tools.flatMap(({ match, notMatch }) => [
    ...match.filter((command) => judge(command) !== "L1").map((command) => `${command}: ${judge(command)}, not L1`),
    ...notMatch.filter((command) => judge(command) <= "L1").map((command) => `${command}: ${judge(command)}`),
  ]);
}
