// Which commands run a project's tests. The class of a command only sets its time limit: it takes in all that checks, and
// whatever speaks of tests, as `npm install vitest` and `node -e 'test()'` do.

const before = /^(\w+=.*|env|time|nice|nohup|exec|command|timeout|\d+[smh]?)$/;

const runners =
  /^(pytest|py\.test|tox|nox|vitest|jest|mocha|ava|tap|jasmine|karma|cypress|playwright|rspec|phpunit|pest|bats|ctest|busted)$/;

const launchers =
  /^(npm|pnpm|yarn|bun|npx|bunx|node|deno|python[\d.]*|uv|uvx|poetry|pdm|hatch|pipenv|go|cargo|make|gmake|ninja|meson|just|rake|bundle|ruby|mvnw?|gradlew?|sbt|lein|dotnet|swift|xcodebuild|zig|bazel|bazelisk|mix|dart|flutter|stack|cabal|php|composer|turbo|nx|sh|bash)$/;

const targets = /^(t|test|tests|tst|testall|test[:_-][\w:-]+|--test|unittest|nextest)$/;

/** What these check is the project's business, which mostly means its tests. */
const checkers = /^(npm|pnpm|yarn|bun|make|gmake|ninja|just|rake|mvnw?|gradlew?|composer)$/;

/** What stands behind them is fetched, looked at, built or text of a program. */
const others =
  /^(i|ci|install|add|remove|rm|uninstall|update|upgrade|why|view|info|show|list|ls|outdated|audit|init|create|pip|build|lint|-c|-e|-p|--eval|--print)$/;

const tellsOnly = /^(--version|--help|-h|--collect-only|--co|--list|--list-tests|--listTests|--dry-run)$/;

/** `command`: a single one, without what is quoted in it. */
export function namesTests(command: string): boolean {
  const words = command.split(/[\s()]+/).filter((word) => word !== "");
  const [first = "", ...more] = words.slice(words.findIndex((word) => !before.test(word)));
  if (more.some((word) => tellsOnly.test(word))) return false;
  const program = baseName(first);
  if (runners.test(program)) return true;
  if (!launchers.test(program)) return false;
  const runs = (word: string): boolean =>
    targets.test(word) ||
    runners.test(/(^|\/)node_modules\//.test(word) ? baseName(word) : word) ||
    (/^(check|verify)$/.test(word) && checkers.test(program));
  const at = more.findIndex(runs);
  return at >= 0 && !more.slice(0, at).some((word) => others.test(word));
}

const baseName = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");
