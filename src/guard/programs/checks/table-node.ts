import type { CheckTool } from "./check-tool.ts";

const typescript =
  "-p:r --project:r -b --build -w --watch --noEmit -d --declaration --declarationMap --emitDeclarationOnly --outDir:c --outFile:w --declarationDir:c --rootDir:r --module: -m: --moduleResolution: --target: -t: --lib: --jsx: --strict --skipLibCheck --esModuleInterop --allowJs --checkJs --resolveJsonModule --sourceMap --inlineSourceMap --incremental --composite --force -f --clean --dry --verbose -v --pretty? --listFiles --listFilesOnly --listEmittedFiles --showConfig --types: --typeRoots:r --baseUrl:r --noEmitOnError --isolatedModules --preserveWatchOutput --removeComments --diagnostics --extendedDiagnostics --traceResolution --noImplicitAny --strictNullChecks --allowImportingTsExtensions --downlevelIteration --experimentalDecorators --lib: --stripInternal --noUnusedLocals --noUnusedParameters --importHelpers";
const format =
  "-c --check -l --list-different -w --write --config:r --config-precedence: --ignore-path:r --log-level: --loglevel: --parser: --no-config --no-editorconfig --cache --cache-location:c --plugin:r --tab-width: --print-width: --single-quote? --jsx-single-quote --no-semi --semi? --use-tabs --trailing-comma: --arrow-parens: --bracket-spacing? --no-bracket-spacing --quote-props: --end-of-line: --prose-wrap: --with-node-modules --stdin-filepath: -u --ignore-unknown --no-error-on-unmatched-pattern --no-color --color --no-plugin-search";
const vitest =
  "--run --config:r -c:r --coverage? --coverage.enabled? --coverage.reporter: --coverage.provider: --coverage.all --coverage.include: --project: --reporter: -r:r --root:r --dir:r --watch? -w -t: --testNamePattern: --passWithNoTests --environment: --globals --typecheck --typecheck.only --silent? --bail? --retry: --maxWorkers: --minWorkers: --pool: --no-file-parallelism --changed --update -u --hideSkippedTests --logHeapUsage --shard: --mode: --no-color --testTimeout: --hookTimeout: --isolate --no-isolate --no-threads --threads? --single-thread --allowOnly --dangerouslyIgnoreUnhandledErrors --exclude: --no-coverage --browser? --disable-console-intercept --expect.requireAssertions";
const jest =
  "-c:r --config:r --coverage? --ci -i --runInBand -t: --testNamePattern: --testPathPattern: --testPathPatterns: --testPathIgnorePatterns: --watch --watchAll? --bail? -b --verbose? --silent --passWithNoTests --updateSnapshot -u --maxWorkers: -w: --forceExit --detectOpenHandles --env: --no-cache --cache? --colors --color --no-coverage --coverageReporters: --coverageDirectory:c --collectCoverageFrom: --json --outputFile:w --onlyChanged -o --changedSince: --findRelatedTests --logHeapUsage --selectProjects: --roots:r --rootDir:r --testTimeout: --shard: --expand -e --listTests --showConfig --errorOnDeprecated --testRegex: --testMatch: --projects:r --runTestsByPath --workerThreads --clearCache --setupFilesAfterEnv:r --setupFiles:r --no-watchman";
const mocha =
  "-R: --reporter: -r:r --require:r -g: --grep: -f: --fgrep: -i -b --bail -t: --timeout: --timeouts: -s: --slow: -u: --ui: --recursive --exit --check-leaks --color -c --no-color -C --colors --watch -w --parallel -p -j: --jobs: --config:r --spec:r --file:r --extension: --ext: --ignore: --exclude: --async-only -A --forbid-only --forbid-pending --retries: --reporter-option: --reporter-options: -O: --full-trace --inline-diffs --diff --no-diff --delay --allow-uncaught --no-timeout --no-timeouts --no-exit --no-config --opts:r --expose-gc --enable-source-maps --import:r --loader:r --experimental-vm-modules --throw-deprecation --trace-warnings --inspect --inspect-brk --verbose --colors";
const runner =
  "-v --verbose -w --watch -t: --timeout: -R: --reporter: -s --serial -c: --concurrency: --match: -m: --fail-fast --update-snapshots -u --tap -b --bail --no-coverage --coverage --cov --no-cov --check-coverage --no-check-coverage --100 --99 -J --jobs: -j: --show-full-coverage --disable-coverage --allow-empty-coverage --allow-incomplete-coverage --coverage-report: --no-browser --require:r -r:r -p: --pattern: --expose-gc --grep: -i: --ignore: --only -o --color --no-color --spec --tap --config:r --filter: --random --seed: --include: --exclude: --typescript --ts --files: --typings: --strict --cache --lines: --branches: --functions: --statements: -x:";
const lint =
  "-c:r --config:r --fix --fix-dry-run --fix-suggestions --cache --cache-location:c --cache-strategy: --ext: --max-warnings: --quiet -q -f:n --format:n --formatter:n --rulesdir:r --plugin: --parser:r --parser-options: --resolve-plugins-relative-to:r -o:w --output-file:w --no-eslintrc --no-config-lookup --env: --global: --rule: --rules: --ignore-path:r --ignore-pattern: --no-ignore --report-unused-disable-directives --report-unused-disable-directives-severity: --color --no-color --no-error-on-unmatched-pattern --fix-type: --debug --no-warn-ignored --concurrency: --verbose -v --type-aware --type-check -D: -A: -W: --deny-warnings --tsconfig:r --threads: --write --apply --apply-unsafe --unsafe --staged --changed --since: --no-errors-on-unmatched --diagnostic-level: --error-on-warnings --log-level: --files-ignore-unknown? --config-path:r --reporter: --max-diagnostics: --check -l --list-different --indent --allow-empty-input --aei --custom-syntax: --syntax: --space? --no-semicolon --prettier --ignore: --dot -s --silent --enable: --disable: --production -i --include: --exclude: --no-exit-code --dependencies --exports --strict --pack --profile: --entrypoints: -P --no-summary --stdin --install-types --detectors:";
const bundle =
  "-c?:r --config?:r -w --watch? -m? --mode: --minify? --sourcemap? --sourceMap? -o:w --outfile:w --outdir:c --out-dir:c --outDir:c -d:c --dir:c --file:w --out-file:w --dts? --clean? --format: -f: -i:r --input:r --target: -t: --platform: --bundle --external: --splitting --tree-shaking? --keep-names --legal-comments: --entry: --env: --environment: --no-clean --silent --quiet -s --profile --progress --stats --color --no-color --logLevel: --log-level: --emptyOutDir --ssr? --base: --treeshake? --debug --verbose -x: --extensions: --ignore: --presets: --plugins:r --copy-files -D --no-babelrc --root-mode: --source-maps? --config-file:r --no-swcrc --strip-leading-paths --local --tsconfig:r -p:r --project:r --no-splitting --metafile:w --analyze --out:c --name: --compress --globals: -g: -e: --no-lint --turbopack --turbo --no-source-maps --no-cache --public-url: --dist-dir:c --no-optimize --optimization-minimize --color --no-esModule --no-dts --shims --cjsInterop --node-env: --NODE_ENV:";

/** Tools of npm's world, by the name of their package's command. */
export const nodeTools: readonly CheckTool[] = [
  {
    commands: "tsc | tsgo | vue-tsc",
    kind: "build",
    options: typescript,
    operands: "r*",
    match: ["tsc -p tsconfig.build.json", "npx tsc --noEmit"],
    notMatch: ["tsc --init", "tsc --outDir ../x", "tsc -p /etc"],
  },
  {
    commands: "prettier | oxfmt",
    kind: "lint",
    options: format,
    operands: "r*",
    match: ["prettier --write src", "npx prettier --check ."],
    notMatch: ["prettier --plugin /tmp/x.js a", "prettier --frob a"],
  },
  {
    commands: "vitest | vitest run | vitest related | vitest bench | vitest watch | vitest typecheck",
    kind: "test",
    options: vitest,
    operands: "r*",
    match: ["vitest run --coverage src/a.test.ts"],
    notMatch: ["vitest --config /tmp/x.ts", "vitest --api 0.0.0.0"],
  },
  {
    commands: "jest",
    kind: "test",
    options: jest,
    operands: "r*",
    match: ["npx jest --runInBand src/a.test.ts"],
    notMatch: ["jest --globalSetup /tmp/x.js", "jest -c /tmp/x.js"],
  },
  {
    commands: "mocha",
    kind: "test",
    options: mocha,
    operands: "r*",
    match: ["mocha -r ts-node/register 'test/**/*.ts'", "mocha --reporter dot"],
    notMatch: ["mocha -r /tmp/x.js", "mocha --node-option require=x"],
  },
  {
    commands: "ava | tap | tape | uvu | jasmine | qunit | borp | vows | lab | tsd | brittle | japa | rstest",
    kind: "test",
    options: runner,
    operands: "r*",
    match: ["tap test/*.js", "tape 'test/*.js'", "borp -p 'test/*.js'"],
    notMatch: ["tap /tmp/x.js"],
  },
  {
    commands:
      "eslint | stylelint | biome check | biome lint | biome ci | biome format | oxlint | standard | xo | tslint | jshint | jscs | markdownlint-cli2 | knip | publint | attw | depcheck | semistandard | standardx | svelte-check | commitlint | dprint check | dprint fmt | ts-standard | cspell | lockfile-lint | typelint",
    kind: "lint",
    options: lint,
    operands: "r*",
    match: ["eslint --cache .", "npx eslint src --ext .ts --fix", "biome check --write"],
    notMatch: ["eslint --rulesdir /tmp/x .", "eslint -o ../x .", "npx eslint --frob ."],
  },
  {
    commands:
      "rollup | webpack | webpack build | vite build | esbuild | tsup | tsdown | unbuild | microbundle | parcel build | next build | nuxt build | astro build | svelte-package | babel | swc | rolldown | rolldown build | rspack build | rspack | tshy | api-extractor run | bunchee | pkgroll | ng build | vue-cli-service build | react-scripts build | typedoc | browserify | ncc build | preconstruct build | bob build | lerna run build | turbo build | turbo run build | napi build",
    kind: "build",
    options: bundle,
    operands: "r*",
    match: ["rollup -c", "vite build --mode production", "esbuild a.ts --bundle --outfile=dist/a.js"],
    notMatch: [
      "esbuild a.ts --outfile=../../x.js",
      "webpack --config /tmp/x.js",
      "esbuild --serve=8000",
      "rollup -p /tmp/x.js",
    ],
  },
  {
    commands: "node --test",
    kind: "test",
    options:
      "--test --test-reporter: --test-reporter-destination:w --test-only --test-name-pattern: --test-skip-pattern: --test-concurrency: --test-timeout: --test-force-exit --test-shard: --experimental-test-coverage --test-coverage-include: --test-coverage-exclude: --test-coverage-lines: --test-coverage-functions: --test-coverage-branches: --experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-test-snapshots --experimental-test-module-mocks --test-update-snapshots --test-isolation: --experimental-test-isolation: --watch --enable-source-maps --no-warnings --expose-gc --import:r -r:r --require:r --loader:r --experimental-loader:r --conditions: -C: --trace-warnings --trace-deprecation --unhandled-rejections: --max-old-space-size: --allow-natives-syntax --no-experimental-strip-types",
    operands: "r*",
    match: [
      "node --test",
      "node --test --test-reporter=spec test/*.test.js",
      "node --import tsx --test 'test/**/*.ts'",
    ],
    notMatch: ["node --test -e 'x'", "node --test --import /tmp/x.mjs", "node --test /tmp/x.js"],
  },
];
