// What may differ between a planned check and the same check in other words: words that only change the report, or choose
// some of the tests. Any word that is not listed decides what is run, and has to be as it is planned.
import { entryOf } from "../../base/entry.ts";

export interface Runner {
  /** Words that change the report, or when the run ends. */
  words: RegExp;
  /** The same where the value is the next word; also names of tests. */
  valued: Readonly<Record<string, RegExp>>;
  /** What words without a dash name; `none`: they are part of what is run. */
  operands: "tests" | "files" | "packages" | "names" | "modules" | "none";
  /** Words that decide what is run, and take no value behind them. */
  alone?: RegExp;
  /** Words behind the program that say what it does. */
  acts?: RegExp;
  /** Without this word, before any operand, it is no test. */
  needs?: RegExp;
  /** What the words behind `--` are for. */
  hands?: string;
}

const number = /^\d+$/;
const name = /^[\w-]+$/;
/** The name of a test, or a pattern of names: never taken for an option. */
const pattern = /^[^-]/;

const cargo =
  /^(?:-q|-v|-vv|--quiet|--verbose|--no-fail-fast|--offline|--frozen|--locked|--color=\w+|--message-format=\w+)$/;
const go = /^(?:-v|-json|-short|-failfast|-count=\d+|-parallel=\d+|-timeout=\w+|-run=\S+|-list=\S+)$/;

const runners: Readonly<Record<string, Runner>> = {
  pytest: {
    words:
      /^(?:-q+|-v+|-s|-x|-l|-r[A-Za-z]+|--tb=\w+|--color=\w+|--capture=(?:no|sys|fd)|--maxfail=\d+|--durations=\d+|--(?:quiet|verbose|exitfirst|showlocals|no-header|no-summary|disable-warnings|lf|last-failed|ff|failed-first|full-trace|collect-only|co|no-cov|strict-markers))$/,
    valued: {
      "-k": pattern,
      "-m": pattern,
      "--tb": name,
      "--color": name,
      "--maxfail": number,
      "--durations": number,
      "-p": /^no:cacheprovider$/,
    },
    alone: /^(?:--strict|--strict-config|--doctest-modules|-n\w+)$/,
    operands: "tests",
  },
  unittest: {
    words: /^(?:-v|-q|-f|-b|--verbose|--quiet|--failfast|--buffer|--locals)$/,
    valued: { "-k": pattern },
    operands: "modules",
    acts: /^discover$/,
  },
  vitest: {
    words:
      /^(?:run|--run|--no-coverage|--no-color|--silent|--bail=\d+|--passWithNoTests|--hideSkippedTests|--testNamePattern=.+|--reporter=(?:default|verbose|dot|json|tap|tap-flat|junit|basic|tree|agent|hanging-process))$/,
    valued: {
      "--reporter": /^(?:default|verbose|dot|json|tap|tap-flat|junit|basic|tree|agent|hanging-process)$/,
      "-t": pattern,
      "--testNamePattern": pattern,
      "--bail": number,
    },
    alone: /^--(?:coverage|globals|typecheck|no-isolate|no-file-parallelism)$/,
    operands: "tests",
  },
  jest: {
    words:
      /^(?:-i|-b|--(?:verbose|silent|ci|json|colors|no-colors|color|no-color|bail|runInBand|expand|no-cache|no-coverage|coverage=false|watch=false|watchAll=false|detectOpenHandles|forceExit|listTests|passWithNoTests|noStackTrace|runTestsByPath)|--bail=\d+|--maxWorkers=\d+%?|--testNamePattern=.+)$/,
    valued: {
      "-t": pattern,
      "--testNamePattern": pattern,
      "--maxWorkers": number,
    },
    alone: /^--(?:coverage|no-watchman|logHeapUsage|clearMocks)$/,
    operands: "tests",
  },
  mocha: {
    words:
      /^(?:-b|-c|-C|--(?:bail|color|no-color|colors|no-colors|exit|forbid-only|full-trace|invert|inline-diffs)|-i|--timeout=\d+|--grep=.+|--reporter=(?:spec|dot|tap|list|json|json-stream|min|progress|landing|nyan|doc|markdown|xunit))$/,
    valued: {
      "--reporter": /^(?:spec|dot|tap|list|json|json-stream|min|progress|landing|nyan|doc|markdown|xunit)$/,
      "-R": /^(?:spec|dot|tap|list|json|json-stream|min|progress|landing|nyan|doc|markdown|xunit)$/,
      "-g": pattern,
      "--grep": pattern,
      "-f": pattern,
      "-t": number,
      "--timeout": number,
      "--slow": number,
      "--ignore": /^\*\*\/!\([\w.-]+\)$/,
    },
    alone: /^--(?:recursive|parallel|check-leaks|async-only|no-timeouts)$/,
    operands: "tests",
  },
  ava: {
    words: /^(?:-v|-t|-s|--verbose|--tap|--fail-fast|--serial|--no-color|--match=.+)$/,
    valued: { "-m": pattern, "--match": pattern },
    operands: "tests",
  },
  node: {
    words:
      /^(?:--test-reporter=(?:spec|tap|dot|junit)|--test-(?:name|skip)-pattern=.+|--test-only|--test-timeout=\d+|--test-concurrency=\d+|--no-warnings|--enable-source-maps)$/,
    valued: {
      "--test-reporter": /^(?:spec|tap|dot|junit)$/,
      "--test-name-pattern": pattern,
      "--test-skip-pattern": pattern,
    },
    alone: /^--(?:test|test-force-exit|experimental-(?:strip-types|test-coverage|test-module-mocks|vm-modules))$/,
    needs: /^--test$/,
    operands: "tests",
  },
  dart: {
    words: /^(?:--reporter=(?:compact|expanded|json|github)|--no-color|--name=.+|--plain-name=.+)$/,
    valued: {
      "-r": name,
      "--reporter": /^(?:compact|expanded|json|github)$/,
      "-n": pattern,
      "--name": pattern,
      "-N": pattern,
      "--plain-name": pattern,
    },
    needs: /^test$/,
    operands: "tests",
    acts: /^test$/,
  },
  "go test": {
    words: go,
    valued: { "-run": pattern, "-count": number, "-timeout": /^\w+$/ },
    alone: /^-(?:race|cover|trimpath|a)$/,
    operands: "packages",
  },
  "go vet": { words: /^(?:-json)$/, valued: {}, operands: "packages" },
  "cargo test": {
    words: /^(?:--lib|--bins|--doc|--tests|--workspace|--all)$|^(?:-p|--package|--test)=[\w-]+$/,
    valued: { "-p": name, "--package": name, "--test": name, "--color": name },
    alone: /^(?:--all-features|--no-default-features|--release|-r|--all-targets|--examples|--benches)$/,
    operands: "names",
    hands: "libtest",
  },
  "cargo check": { words: cargo, valued: { "-p": name, "--color": name }, operands: "none" },
  "cargo clippy": { words: cargo, valued: { "-p": name, "--color": name }, operands: "none" },
  libtest: {
    words: /^(?:-q|--nocapture|--no-capture|--exact|--show-output|--test-threads=\d+|--color=\w+)$/,
    valued: { "--skip": pattern, "--test-threads": number },
    alone: /^--(?:ignored|include-ignored)$/,
    operands: "names",
  },
  mvn: {
    words:
      /^(?:-q|-B|-o|-e|-ntp|--quiet|--batch-mode|--offline|--errors|--no-transfer-progress|-Dtest=[\w#,*+.]+|-D(?:failIfNoTests|surefire\.failIfNoSpecifiedTests)=false)$/,
    valued: {},
    operands: "none",
  },
  gradle: {
    words: /^(?:-q|--quiet|--offline|--console=plain|--stacktrace|--rerun-tasks|--continue|--info)$/,
    valued: { "--tests": /^[\w.*$]+$/ },
    operands: "none",
  },
  tox: { words: /^(?:-q+|-v+|--quiet|--verbose)$/, valued: {}, operands: "none", hands: "pytest" },
  eslint: {
    words: /^(?:--quiet|--color|--no-color|--format=(?:stylish|json|html)|--max-warnings=\d+)$/,
    valued: { "-f": /^(?:stylish|json|html)$/, "--format": /^(?:stylish|json|html)$/, "--max-warnings": number },
    alone: /^--(?:fix|cache|no-cache|report-unused-disable-directives)$/,
    operands: "files",
  },
  tsc: {
    words: /^--(?:pretty|no-pretty|noErrorTruncation|diagnostics)$/,
    valued: { "--pretty": /^(?:true|false)$/ },
    operands: "none",
  },
  ruff: {
    words: /^(?:-q|--quiet|--statistics|--no-cache|--output-format=(?:concise|full|json|grouped|text))$/,
    valued: { "--output-format": /^(?:concise|full|json|grouped|text)$/ },
    alone: /^--(?:fix|no-fix|preview|check|diff|isolated)$/,
    operands: "files",
    acts: /^(?:check|format)$/,
  },
  mypy: {
    words:
      /^--(?:pretty|no-pretty|no-color-output|no-error-summary|show-error-codes|show-column-numbers|show-error-context)$/,
    valued: {},
    alone: /^--(?:strict|ignore-missing-imports|no-incremental|namespace-packages|explicit-package-bases)$/,
    operands: "files",
  },
  flake8: { words: /^(?:-q|-v|--quiet|--verbose|--count|--statistics|--show-source)$/, valued: {}, operands: "files" },
};

export const rowOf = (runner: string): Runner | undefined => entryOf(runners, runner);

/** `cargo test` also takes what every command of cargo takes. */
export const isReportWord = (runner: string, word: string): boolean =>
  rowOf(runner)?.words.test(word) === true || (runner === "cargo test" && cargo.test(word));

/** Variables that say how much is shown, and in what colour. */
export const quietVariables =
  /^(?:CI|NO_COLOR|FORCE_COLOR|COLUMNS|TERM|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE|CARGO_TERM_COLOR)=[\w.-]*$/;

/** What lies where tests do, or is called as they are. */
export const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)(?:\/|$)|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]+$|_test\.\w+$|Tests?\.(?:java|kt)$/;
